/** What a template gives its nodes. */
import * as z from "zod/mini";
import { ApiError, invalidRequest } from "../shared/edge/errors.ts";
import { makeHardware } from "../shared/node/make-hardware.ts";
import { emulatedType, isKnown } from "../shared/node/node-item.ts";
import { type NodeCreate, nodeCreate } from "../shared/schemas/node.ts";
import type { Template } from "../shared/schemas/template.ts";

/** Fields of the template that are fields of its nodes, too. */
const NODE_FIELDS = [
  "console_auto_start",
  "console_type",
  "custom_adapters",
  "first_port_name",
  "port_name_format",
  "port_segment_size",
  "symbol",
] as const;

const nodeFields = z.object({
  console_auto_start: nodeCreate.shape.console_auto_start,
  console_type: nodeCreate.shape.console_type,
  custom_adapters: nodeCreate.shape.custom_adapters,
  first_port_name: nodeCreate.shape.first_port_name,
  port_name_format: nodeCreate.shape.port_name_format,
  port_segment_size: nodeCreate.shape.port_segment_size,
  symbol: nodeCreate.shape.symbol,
});

/** Fields that describe the template itself. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  "builtin",
  "category",
  "compute_id",
  "default_name_format",
  "name",
  "template_id",
  "template_type",
]);

type Settings = Omit<NodeCreate, "name" | "compute_id">;

/** Returns the type, fields and properties of a node of the template; empty texts are not set. */
export function settingsOf(template: Template): Settings {
  const { properties, ...rest } = template;
  const all = Object.entries({ ...(properties as object | undefined), ...rest });
  const set = all.filter(([key, value]) => !OWN_FIELDS.has(key) && value != null && value !== "");
  const isField = ([key]: [string, unknown]): boolean => (NODE_FIELDS as readonly string[]).includes(key);
  return {
    ...Object.fromEntries(set.filter(isField)),
    node_type: template.template_type,
    properties: Object.fromEntries(set.filter((entry) => !isField(entry))),
  };
}

/** @throws ApiError 400 with the fields of the template from which no node can be made; fields of types that do not run here pass. */
export async function refuseInvalidSettings(template: Template): Promise<void> {
  const settings = settingsOf(template);
  const type = emulatedType(settings as NodeCreate);
  if (!isKnown(type)) return;
  const { error } = nodeFields.safeParse(settings);
  if (error) {
    throw invalidRequest(
      error.issues.map(({ path, message }) => ({ path: ["body", ...path.map(String)].join("."), message })),
    );
  }
  try {
    await makeHardware(type, settings.properties);
  } catch (invalid) {
    if (!(invalid instanceof ApiError) || invalid.problems === undefined) throw invalid;
    throw invalidRequest(
      invalid.problems.map(({ path, message }) => ({
        path: path.replace(/^body\.properties\b/, "body"),
        message,
      })),
    );
  }
}
