/** A node's settings as its compute takes them, and as it returns them. */
import type { NodeStatus } from "../schemas/node.ts";
import type { NodeDocument, NodeItem } from "../store/lab/node.ts";
import { computeTypeOf } from "./compute-types.ts";
import { portsOf } from "./ports.ts";

/** Fields of a compute's answer that are no properties of the node. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  "name",
  "console",
  "console_type",
  "console_host",
  "command_line",
  "node_directory",
  "node_id",
  "project_id",
  "status",
  "custom_adapters",
  "startup_script",
  "startup_config_content",
  "private_config_content",
]);

const isSet = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  !(typeof value === "object" && Object.keys(value as object).length === 0);

/** Returns the body of a request that changes the node. */
export function settingsFor({ name, document }: NodeItem): Record<string, unknown> {
  const { node_type, properties, console, console_type, custom_adapters } = document;
  const { atCreation: omitted = [], hasNoConsoleType } = computeTypeOf(node_type);
  return {
    ...Object.fromEntries(
      Object.entries(properties).filter(([key, value]) => isSet(value) && !omitted.includes(key)),
    ),
    name,
    ...(console !== null && { console }),
    ...(!hasNoConsoleType && console_type !== null && { console_type }),
    ...(custom_adapters.length > 0 && { custom_adapters }),
  };
}

/** Returns the body of a request that creates the node. */
export const creationOf = (node: NodeItem): Record<string, unknown> => ({
  ...Object.fromEntries(
    (computeTypeOf(node.document.node_type).atCreation ?? []).flatMap((key) => {
      const value = node.document.properties[key];
      return isSet(value) ? [[key, value]] : [];
    }),
  ),
  ...settingsFor(node),
  node_id: node.node_id,
});

const STATUSES: readonly string[] = ["stopped", "started", "suspended"] satisfies NodeStatus[];

/** Returns the status in a compute's answer, if it has one. */
export function statusIn(answer: unknown): NodeStatus | undefined {
  const { status } = answer as { status?: string };
  return status !== undefined && STATUSES.includes(status) ? (status as NodeStatus) : undefined;
}

/** Returns the node's document with what its compute has answered. @param host where its console is. */
export function merged(
  { document }: Pick<NodeItem, "document">,
  answer: unknown,
  host: string,
): NodeDocument {
  const { console, console_type, command_line, node_directory } = answer as Partial<NodeDocument>;
  const others = Object.entries(answer as object).filter(([key]) => !OWN_FIELDS.has(key));
  const changed = {
    ...document,
    properties: { ...document.properties, ...Object.fromEntries(others) },
    ...(console !== undefined && { console }),
    ...(console_type !== undefined && { console_type }),
    ...(command_line !== undefined && { command_line }),
    ...(node_directory !== undefined && { node_directory }),
    console_host: host,
  };
  return { ...changed, ports: portsOf(changed) };
}
