/** What computes return about their emulators (docs/interface.md, section 6.5). */
import * as z from "zod/mini";
import { name } from "./common.ts";
import { uuid } from "./ids.ts";
import { nodeType } from "./node.ts";

const portRange = z.tuple([z.int(), z.int()]);

export const computePorts = z
  .object({
    console_port_range: portRange,
    console_ports: z.array(z.int()),
    udp_port_range: portRange,
    udp_ports: z.array(z.int()),
  })
  .check(z.meta({ id: "ComputePorts" }));
export type ComputePorts = z.output<typeof computePorts>;

/** A file, or with Docker a name. */
export const image = z
  .object({
    filename: z.optional(z.string()),
    filesize: z.optional(z.int()),
    md5sum: z.optional(z.string()),
    path: z.optional(z.string()),
    image: z.optional(z.string()),
  })
  .check(z.meta({ id: "Image" }));

export const idlePcRequest = z
  .strictObject({
    platform: z.string().check(z.minLength(1), z.maxLength(64)),
    image: z.string().check(z.minLength(1), z.maxLength(512)),
    ram: z.int().check(z.minimum(1), z.maximum(65_536), z.describe("MB")),
  })
  .check(z.meta({ id: "IdlePcRequest" }));
export type IdlePcRequest = z.output<typeof idlePcRequest>;

export const endpoint = z.object({ endpoint: z.string() }).check(z.meta({ id: "Endpoint" }));

export const capabilities = z
  .object({ node_types: z.array(nodeType), platform: z.string(), version: z.string() })
  .check(z.meta({ id: "Capabilities" }));

const MOST_VARIABLES = 256;
const variables = z
  .nullable(
    z
      .array(z.strictObject({ name, value: z.optional(z.string().check(z.maxLength(4096))) }))
      .check(z.maxLength(MOST_VARIABLES)),
  )
  .check(z.describe("Variables of the project"));

export const computeProjectCreate = z
  .strictObject({
    name,
    project_id: z.optional(z.nullable(uuid)),
    path: z.optional(z.nullable(z.string().check(z.maxLength(1024)))),
    variables: z.optional(variables),
  })
  .check(z.meta({ id: "ComputeProjectCreate" }));

export const computeProject = z
  .object({ name: z.string(), project_id: uuid, variables })
  .check(z.meta({ id: "ComputeProject" }));
