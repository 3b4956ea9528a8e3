/** The project resource (docs/interface.md, section 3.2). */
import * as z from "zod/mini";
import { name, optionalFields, wholeNumber } from "./common.ts";
import { uuid } from "./ids.ts";
import { parseLabTime } from "./lab-time.ts";

const supplier = z.strictObject({
  logo: z.string().check(z.maxLength(2048)),
  url: z.string().check(z.maxLength(2048)),
});
/** A user's name; with IAM, the ARN, which can be this long. */
const USER_MAX_CHARACTERS = 1024;
/** One transaction of at most 100 items writes the project and its shares. */
const MOST_SHARES = 96;

const share = z.strictObject({
  user: z.string().check(z.minLength(1, "is empty"), z.maxLength(USER_MAX_CHARACTERS)),
  role: z.enum(["viewer", "editor"]),
});
const sharedWith = z.array(share).check(
  z.maxLength(MOST_SHARES),
  z.refine((all) => new Set(all.map(({ user }) => user)).size === all.length, "names a user twice"),
  z.describe("Users with access to the project, and their roles; the owner and admins may change it"),
);

/** `clock` is the lab's start time. It is validated here, because otherwise an invalid time would only fail the first run. */
const variable = z.strictObject({ name, value: z.optional(z.string().check(z.maxLength(4096))) }).check(
  z.refine(({ name, value }) => name !== "clock" || !value || parseLabTime(value) !== undefined, {
    path: ["value"],
    error: "is no lab time: the variable clock takes seconds since 1970 or a UTC time before 2100",
  }),
);

/** Settings that a client may send in POST and PUT. */
const settings = {
  auto_close: z.boolean(),
  auto_open: z.boolean(),
  auto_start: z.boolean(),
  drawing_grid_size: z.int(),
  expires_at: z
    .nullable(z.iso.datetime({ offset: true }))
    .check(
      z.describe(
        "The time from which the service may delete the project with everything in it; null keeps it",
      ),
    ),
  grid_size: z.int(),
  scene_height: z.int(),
  scene_width: z.int(),
  shared_with: sharedWith,
  show_grid: z.boolean(),
  show_interface_labels: z.boolean(),
  show_layers: z.boolean(),
  snap_to_grid: z.boolean(),
  supplier: z.nullable(supplier),
  variables: z.nullable(z.array(variable).check(z.maxLength(256))),
  zoom: z.int(),
};

export const projectStatus = z.enum(["opened", "closed"]);

export const project = z
  .object({
    ...settings,
    name,
    project_id: uuid,
    owner: z
      .nullable(z.string())
      .check(
        z.describe(
          "The user who created the project; read only. Null if callers were anonymous: then all users have access",
        ),
      ),
    filename: z
      .string()
      .check(
        z.describe("Name of the project's file; stored for clients, unchanged when the project is renamed"),
      ),
    path: z.string().check(z.describe("Location of the project; read only")),
    status: projectStatus,
  })
  .check(z.meta({ id: "Project" }));
export type Project = z.output<typeof project>;
export type ProjectSettings = Pick<Project, keyof typeof settings>;

export const PROJECT_DEFAULTS: ProjectSettings = {
  auto_close: true,
  auto_open: false,
  auto_start: false,
  drawing_grid_size: 25,
  expires_at: null,
  grid_size: 75,
  scene_height: 1000,
  scene_width: 2000,
  shared_with: [],
  show_grid: false,
  show_interface_labels: false,
  show_layers: false,
  snap_to_grid: false,
  supplier: null,
  variables: null,
  zoom: 100,
};

const optionalSettings = optionalFields(settings);

export const projectCreate = z
  .strictObject({
    ...optionalSettings,
    name,
    project_id: z.optional(z.nullable(uuid)),
    path: z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(1024)))),
  })
  .check(z.meta({ id: "ProjectCreate" }));
export type ProjectCreate = z.output<typeof projectCreate>;

/** All fields but the name are accepted and ignored, as existing clients expect; a path is refused. */
export const projectDuplicate = z
  .strictObject({ ...projectCreate.shape, reset_mac_addresses: z.optional(z.boolean()) })
  .check(z.meta({ id: "ProjectDuplicate" }));

export const projectLoad = z
  .strictObject({ path: z.string().check(z.minLength(1, "is empty"), z.maxLength(1024)) })
  .check(z.meta({ id: "ProjectLoad" }));

export const projectUpdate = z
  .strictObject({
    ...optionalSettings,
    name: z.optional(name),
    path: z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(1024)))),
  })
  .check(z.meta({ id: "ProjectUpdate" }));
export type ProjectUpdate = z.output<typeof projectUpdate>;

export const projectStats = z
  .object({ drawings: z.int(), links: z.int(), nodes: z.int(), snapshots: z.int() })
  .check(z.meta({ id: "ProjectStats" }));

const PAGE_MAX_PROJECTS = 1_000;

export const projectsQuery = z.object({
  limit: z
    .optional(z.pipe(wholeNumber, z.int().check(z.minimum(1), z.maximum(PAGE_MAX_PROJECTS))))
    .check(z.describe(`Maximum number of projects to return, 1 to ${PAGE_MAX_PROJECTS}; all if absent`)),
  after: z
    .optional(
      z.string().check(z.regex(/^\d{1,16}\.[\da-f-]{36}$/, "must be copied from the header Link of a page")),
    )
    .check(z.describe("Where the page begins, as the header `Link` of the page before has it")),
});
