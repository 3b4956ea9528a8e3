/** Identifiers in paths and bodies. */
import * as z from "zod/mini";
import { visibleText } from "./common.ts";
import "./messages.ts";
import { isNamespaceName } from "./namespace-name.ts";

/** 36 characters, hexadecimal in either case. Any version digit is accepted, because clients use several versions. */
const UUID = /^[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{12}$/;

/** Keeps the client's spelling, for an id that is stored for the client and never looked up. */
export const uuidAsGiven = z.string().check(z.regex(UUID, "is not a UUID"), z.meta({ format: "uuid" }));

/** Converts to lower case: the spellings of a UUID are the same id (RFC 9562, section 4). */
export const uuid = uuidAsGiven.check(z.toLowerCase());

/** The key attributes of the table are at most 1,024 bytes; symbol ids are part of one. */
const SYMBOL_ID_MAX_BYTES = 512;

const utf8Length = (text: string): number => new TextEncoder().encode(text).length;

export const symbolId = z.string().check(
  z.minLength(1, "is empty"),
  z.refine((id) => utf8Length(id) <= SYMBOL_ID_MAX_BYTES, `is longer than ${SYMBOL_ID_MAX_BYTES} bytes`),
  z.refine((id) => id.isWellFormed(), "is not well-formed Unicode"),
);

/** The limit of common file systems for a name; a path is part of a key attribute of the table. */
const FILE_NAME_MAX_BYTES = 255;
const FILE_PATH_MAX_BYTES = 512;

export const filePath = z.string().check(
  z.normalize("NFC"),
  z.refine((path) => utf8Length(path) <= FILE_PATH_MAX_BYTES, `is longer than ${FILE_PATH_MAX_BYTES} bytes`),
  z.refine(
    (path) => path.split(/[/\\]/).every((name) => utf8Length(name) <= FILE_NAME_MAX_BYTES),
    `has a name of more than ${FILE_NAME_MAX_BYTES} bytes`,
  ),
  z.refine((path) => path.isWellFormed(), "is not well-formed Unicode"),
  visibleText,
);

export const computeId = z.string().check(z.minLength(1, "is empty"), z.maxLength(128));

/** The schemas of all variables in routes' paths. */
export const PATH_PARAMETERS = {
  project_id: uuid.check(z.describe("Project UUID")),
  node_id: uuid.check(z.describe("Node UUID")),
  link_id: uuid.check(z.describe("Link UUID")),
  capture_id: uuid.check(z.describe("Capture UUID")),
  snapshot_id: uuid.check(z.describe("Snapshot UUID")),
  deletion_id: uuid.check(z.describe("Deletion UUID")),
  drawing_id: uuid.check(z.describe("Drawing UUID")),
  template_id: uuid.check(z.describe("Template UUID")),
  run_id: uuid.check(z.describe("Run UUID")),
  sweep_id: uuid.check(z.describe("Sweep UUID")),
  namespace: z
    .string()
    .check(
      z.refine(isNamespaceName, "is not 1 to 40 of A-Z a-z 0-9 . _ -, with a letter or a digit first"),
      z.describe("Name of a namespace, such as `pr-12`"),
    ),
  compute_id: computeId.check(z.describe("Compute id")),
  symbol_id: symbolId.check(z.describe("Symbol id; may contain slashes, dots and any other character")),
  file_path: filePath.check(z.describe("Path of a file; may contain slashes")),
  engine: z.string().check(z.minLength(1), z.maxLength(128), z.describe("Engine id")),
  emulator: z.string().check(z.minLength(1), z.maxLength(128), z.describe("Emulator, e.g. `qemu`")),
  action: z
    .string()
    .check(z.minLength(1), z.maxLength(512), z.describe("What is asked of the emulator, e.g. `images`")),
  file: z.string().check(z.minLength(1), z.maxLength(128), z.describe("File name, e.g. `swagger-ui.css`")),
} as const;
