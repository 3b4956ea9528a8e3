/** The compute resource (reference: 8.2). */
import * as z from "zod";
import { name } from "./common.ts";
import { computeId } from "./ids.ts";
import { nodeType } from "./node.ts";

const protocol = z.enum(["http", "https"]);
const host = z.string().min(1).max(255);
const port = z.int().min(1).max(65_535);

export const compute = z
  .object({
    capabilities: z.object({
      node_types: z.array(nodeType),
      platform: z.string().optional(),
      version: z.string().nullable(),
    }),
    compute_id: computeId,
    connected: z.boolean(),
    cpu_usage_percent: z.number().nullable(),
    host,
    last_error: z.string().nullable(),
    memory_usage_percent: z.number().nullable(),
    name: z.string(),
    port,
    protocol,
    user: z.string().nullable(),
  })
  .meta({ id: "Compute" });
export type Compute = z.output<typeof compute>;

const fields = {
  protocol,
  host,
  port,
  compute_id: computeId.refine((id) => id !== "vm", "'vm' is the helper virtual machine's").optional(),
  name: name.nullable().optional(),
  user: z.string().max(255).nullable().optional(),
  password: z
    .string()
    .max(255)
    .nullable()
    .optional()
    .describe("Accepted from clients that send it; not kept"),
};

export const computeCreate = z.strictObject(fields).meta({ id: "ComputeCreate" });
export type ComputeCreate = z.output<typeof computeCreate>;

export const computeUpdate = z
  .strictObject({ ...fields, protocol: protocol.optional(), host: host.optional(), port: port.optional() })
  .meta({ id: "ComputeUpdate" });
export type ComputeUpdate = z.output<typeof computeUpdate>;
