/** Deletions of parts of a lab that can be undone for an hour. */
import * as z from "zod/mini";
import { drawing } from "./drawing.ts";
import { uuid } from "./ids.ts";
import { link } from "./link.ts";
import { node } from "./node.ts";

/** More than these do not fit into a deletion. */
const MAX_IDS = 100;

const ids = z.optional(z.array(uuid).check(z.maxLength(MAX_IDS)));

export const deletionCreate = z
  .strictObject({ nodes: ids, links: ids, drawings: ids })
  .check(z.meta({ id: "DeletionCreate" }));

export const deletion = z
  .object({
    deletion_id: uuid,
    project_id: uuid,
    created_at: z.string(),
    expires_at: z.string().check(z.describe("The deletion can be undone until then")),
    nodes: z.array(z.object({ node_id: uuid, name: z.string() })),
    links: z.array(uuid).check(z.describe("Also those on the nodes")),
    drawings: z.array(uuid),
    captures: z.int().check(z.describe("How many captures the links had")),
  })
  .check(z.meta({ id: "Deletion" }));
export type Deletion = z.output<typeof deletion>;

export type UndoneDeletion = z.output<typeof undoneDeletion>;

export const undoneDeletion = z
  .object({ nodes: z.array(node), links: z.array(link), drawings: z.array(drawing) })
  .check(z.meta({ id: "UndoneDeletion" }));
