/**
 * The import law: what is in each room, and what the room may import beside its own files. test/unit/import-law.test.ts holds it, and
 * docs/design.md has the table and the picture that are made from it.
 */
import { existsSync, globSync } from "node:fs";

const ROOT = new URL("../../..", import.meta.url).pathname;

export interface Room {
  /** One phrase. */
  readonly about: string;
  readonly mayImport: readonly string[];
}

/** The folders of route groups. */
export const GROUPS = globSync("functions/*/routes.ts", { cwd: ROOT }).map((file) => file.split("/")[1]!);

/** All route groups have one row. */
export const GROUP = "<group>";

/** The rooms in their order on the page. */
export const ROOMS: Readonly<Record<string, Room>> = {
  functions: { about: "`routes.ts`, the list of all groups", mayImport: [GROUP, "edge"] },
  [GROUP]: {
    about:
      "a route group, one Lambda function: `routes.ts` declares, `handler.ts` binds, other files are its rules",
    mayImport: [
      "node",
      "run",
      "lab-copy",
      "lab-file",
      "compute-console",
      "compute-events",
      "compute-capture",
      "compute",
      "machine",
      "store",
      "edge",
      "schemas",
      "engine",
      "lab",
    ],
  },
  authorizer: { about: "checks passwords, tokens and roles", mayImport: ["store", "edge"] },
  sockets: {
    about: "WebSockets: events and consoles",
    mayImport: ["console", "run", "compute-console", "compute", "store", "edge", "schemas", "engine"],
  },
  publisher: { about: "makes events of the table's changes", mayImport: ["store", "edge", "schemas"] },
  sweeper: { about: "deletes what nothing refers to", mayImport: ["compute", "store", "edge", "engine"] },
  watcher: { about: "follows what computes report", mayImport: ["compute-events", "store", "edge"] },
  helper: {
    about: "starts and stops the helper machine",
    mayImport: ["compute", "machine", "store", "edge"],
  },
  console: {
    about: "runs what is typed on an open console",
    mayImport: ["run", "store", "edge", "engine"],
  },
  "lab-file": {
    about: "plays lab files for requests and sweeps",
    mayImport: ["run", "store", "edge", "schemas", "engine", "lab"],
  },
  "lab-copy": {
    about: "a whole lab as one document: snapshots, duplicates, exports",
    mayImport: ["store", "edge", "schemas"],
  },
  node: {
    about: "makes a node: name, number, properties, ports, appearance",
    mayImport: ["compute", "machine", "store", "edge", "schemas", "engine"],
  },
  run: {
    about: "runs a lab for a request: reads what a run touches, simulates, commits",
    mayImport: ["store", "edge", "schemas", "engine"],
  },
  "compute-capture": {
    about: "captures between nodes of computes",
    mayImport: ["compute", "store", "edge", "schemas", "engine"],
  },
  "compute-console": {
    about: "consoles of computes",
    mayImport: ["compute", "store", "edge", "schemas"],
  },
  "compute-events": {
    about: "what computes report",
    mayImport: ["compute", "store", "edge", "schemas"],
  },
  compute: {
    about: "real nodes and links on registered computes",
    mayImport: ["machine", "store", "edge", "schemas"],
  },
  machine: { about: "the steps of the helper machine in EC2", mayImport: ["store", "edge", "schemas"] },
  store: { about: "DynamoDB and S3, the only room with the AWS SDK", mayImport: ["edge", "schemas"] },
  edge: { about: "HTTP: dispatch, validation, errors, idempotency, OpenAPI", mayImport: ["schemas"] },
  schemas: { about: "the resources of the interface, as zod schemas", mayImport: [] },
  "page/src": { about: "the page", mayImport: ["engine", "lab"] },
  wirelab: { about: "the `wirelab` command", mayImport: ["engine", "lab", "linux"] },
  lab: { about: "labs as tests: lab files, expectations, traces", mayImport: ["engine"] },
  linux: { about: "Linux guests in virtual time", mayImport: ["engine"] },
  engine: { about: "the packet engine: pure and deterministic", mayImport: [] },
  infra: { about: "the CDK app, and the same stack on one machine", mayImport: [] },
};

/** @returns the folder of a room, from the root. */
export function folderOf(room: string): string {
  if (room === "page/src") return room;
  if (room === "infra" || room === "functions") return room;
  if (["engine", "lab", "linux", "wirelab"].includes(room)) return `packages/${room}`;
  const isShared = existsSync(`${ROOT}/functions/shared/${room}`);
  return `functions/${isShared ? "shared/" : ""}${room}`;
}

/** The rooms of a folder, in their order: a room imports only rooms before it. Files of the folder itself may import all of its rooms. */
export const ORDERS: Readonly<Record<string, readonly string[]>> = {
  "page/src": [
    "api",
    "ui",
    "sign-in",
    "lab",
    "edit",
    "viewport",
    "dock",
    "consoles",
    "link",
    "settings",
    "node",
    "drawings",
    "tests",
    "packets",
    "topology",
    "dialogs",
    "commands",
    "lab-page",
    "labs",
  ],
  "packages/engine/net": ["address", "packet", "fib", "bridge", "tcp", "plane", "probe", "dhcp", "host"],
  "packages/engine/devices/router": ["services", "shell"],
  "functions/shared/store": [
    "base",
    "ec2",
    "user",
    "helper",
    "limits",
    "idempotency",
    "template",
    "project",
    "symbol",
    "snapshot",
    "events",
    "sockets",
    "console",
    "file",
    "lab",
    "commit",
    "deletion",
    "sweep",
    "contents",
  ],
};

/** Folders whose rooms know nothing of each other, but for the named rooms, which all may import. */
export const APART: Readonly<Record<string, readonly string[]>> = { "packages/engine/devices": ["console"] };
