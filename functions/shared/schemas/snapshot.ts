/** Snapshots of projects. */
import * as z from "zod/mini";
import { name } from "./common.ts";
import { uuid } from "./ids.ts";

export const snapshot = z
  .object({
    snapshot_id: uuid,
    project_id: uuid,
    name,
    created_at: z.int().check(z.describe("Seconds since 1970")),
    description: z.string().check(z.describe("Made from the name and the time; read only")),
    filename: z.string().check(z.describe("Named for clients; there is no such file")),
  })
  .check(z.meta({ id: "Snapshot" }));
export type Snapshot = z.output<typeof snapshot>;

/** Clients send an object of their own, of which only the name counts. */
const ignored = z.optional(z.unknown());

export const snapshotCreate = z
  .strictObject({
    name,
    snapshot_id: ignored,
    project_id: ignored,
    created_at: ignored,
    description: ignored,
    filename: ignored,
  })
  .check(z.meta({ id: "SnapshotCreate" }));
