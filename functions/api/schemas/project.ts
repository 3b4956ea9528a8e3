/** The project resource (reference: projects). */
import * as z from "zod";
import { name } from "./common.ts";
import { uuid } from "./ids.ts";

const supplier = z.strictObject({ logo: z.string().max(2048), url: z.string().max(2048) });
/** A user's name; with IAM the ARN, which can be this long. */
const USER_MAX_CHARACTERS = 1024;
const MOST_SHARES = 256;

const share = z.strictObject({
  user: z.string().min(1, "is empty").max(USER_MAX_CHARACTERS),
  role: z.enum(["viewer", "editor"]),
});
const sharedWith = z
  .array(share)
  .max(MOST_SHARES)
  .refine((all) => new Set(all.map(({ user }) => user)).size === all.length, "names a user twice")
  .describe("Users who see the project, and what they may do in it; the owner and admins may change it");

const variable = z.strictObject({ name, value: z.string().max(4096).optional() });

/** What a client may set, in POST and PUT. */
const settings = {
  auto_close: z.boolean(),
  auto_open: z.boolean(),
  auto_start: z.boolean(),
  drawing_grid_size: z.int(),
  expires_at: z.iso
    .datetime({ offset: true })
    .nullable()
    .describe("When the project may be deleted with everything in it; it stays when this is null"),
  grid_size: z.int(),
  scene_height: z.int(),
  scene_width: z.int(),
  shared_with: sharedWith,
  show_grid: z.boolean(),
  show_interface_labels: z.boolean(),
  show_layers: z.boolean(),
  snap_to_grid: z.boolean(),
  supplier: supplier.nullable(),
  variables: z.array(variable).max(256).nullable(),
  zoom: z.int(),
};

export const projectStatus = z.enum(["opened", "closed"]);

export const project = z
  .object({
    ...settings,
    name,
    project_id: uuid,
    owner: z
      .string()
      .nullable()
      .describe(
        "The user who made it; read only. Null where nobody is asked who they are: it is everybody's then",
      ),
    filename: z.string().describe("Name of the project's file; kept for clients, follows no rename"),
    path: z.string().describe("Where the project lives; read only"),
    status: projectStatus,
  })
  .meta({ id: "Project" });
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

const optionalSettings = z.strictObject(settings).partial().shape;

export const projectCreate = z
  .strictObject({
    ...optionalSettings,
    name,
    project_id: uuid.nullable().optional(),
    path: z.string().min(1).max(1024).nullable().optional(),
  })
  .meta({ id: "ProjectCreate" });
export type ProjectCreate = z.output<typeof projectCreate>;

export const projectUpdate = z
  .strictObject({
    ...optionalSettings,
    name: name.optional(),
    path: z.string().min(1).max(1024).nullable().optional(),
  })
  .meta({ id: "ProjectUpdate" });
export type ProjectUpdate = z.output<typeof projectUpdate>;

export const projectStats = z
  .object({ drawings: z.int(), links: z.int(), nodes: z.int(), snapshots: z.int() })
  .meta({ id: "ProjectStats" });
