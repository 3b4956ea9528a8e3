/** The compute resource (docs/interface.md, section 6.2). */
import * as z from "zod/mini";
import { name } from "./common.ts";
import { computeId } from "./ids.ts";
import { nodeType } from "./node.ts";

const protocol = z.enum(["http", "https"]);
const host = z.string().check(z.minLength(1), z.maxLength(255));
/** A name of a host or an address, not a URL. */
const newHost = host.check(
  z.regex(
    /^([A-Za-z0-9._-]+|[0-9A-Fa-f:.]+(%[\w.-]+)?|\[[0-9A-Fa-f:.]+(%[\w.-]+)?\])$/,
    "must be the name of a host, or an IP address",
  ),
);
const port = z.int().check(z.minimum(1), z.maximum(65_535));

export const compute = z
  .object({
    capabilities: z.object({
      node_types: z.array(nodeType),
      platform: z.optional(z.string()),
      version: z.nullable(z.string()),
    }),
    compute_id: computeId,
    connected: z.boolean(),
    cpu_usage_percent: z.nullable(z.number()),
    host,
    last_error: z.nullable(z.string()),
    memory_usage_percent: z.nullable(z.number()),
    name: z.string(),
    port,
    protocol,
    user: z.nullable(z.string()),
  })
  .check(z.meta({ id: "Compute" }));
export type Compute = z.output<typeof compute>;

const fields = {
  protocol,
  host: newHost,
  port,
  compute_id: z.optional(
    computeId.check(z.refine((id) => id !== "vm", "'vm' is the helper virtual machine's")),
  ),
  name: z.optional(z.nullable(name)),
  user: z.optional(z.nullable(z.string().check(z.maxLength(255)))),
  password: z
    .optional(z.nullable(z.string().check(z.maxLength(255))))
    .check(z.describe("Stored in Secrets Manager, and never returned")),
};

export const computeCreate = z.strictObject(fields).check(z.meta({ id: "ComputeCreate" }));
export type ComputeCreate = z.output<typeof computeCreate>;

export const computeUpdate = z
  .strictObject({
    ...fields,
    protocol: z.optional(protocol),
    host: z.optional(newHost),
    port: z.optional(port),
  })
  .check(z.meta({ id: "ComputeUpdate" }));
export type ComputeUpdate = z.output<typeof computeUpdate>;
