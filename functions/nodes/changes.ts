/** What a request changes of a node, wherever the node runs. */
import type { Access } from "../shared/edge/access.ts";
import { failureOf, invalidRequest, type Problem } from "../shared/edge/errors.ts";
import { NODE_ERRORS } from "../shared/edge/own-errors/node.ts";
import { readWish, wantedFor } from "../shared/node/name.ts";
import type { Offers } from "../shared/node/offers.ts";
import type { Label } from "../shared/schemas/common.ts";
import { type Node, type NodeUpdate, READ_ONLY_NODE_FIELDS } from "../shared/schemas/node.ts";
import { readItems } from "../shared/store/contents/read.ts";
import { type NodeItem, portKey } from "../shared/store/lab/node.ts";

/** Rejects changed read-only fields; a client may send back the whole object that it received. */
export function refuseReadOnly(current: Node, body: NodeUpdate): void {
  const problems: Problem[] = READ_ONLY_NODE_FIELDS.filter(
    (field) => body[field] !== undefined && JSON.stringify(body[field]) !== JSON.stringify(current[field]),
  ).map((field) => ({ path: `body.${field}`, message: "is read only" }));
  if (problems.length > 0) throw invalidRequest(problems);
}

export async function nameAfter(
  access: Access,
  before: NodeItem,
  wish: string | undefined,
  offers: Offers,
): Promise<string> {
  if (wish === undefined || wish.replaceAll(" ", "") === before.name) return before.name;
  const name = readWish(wish);
  // The series is not updated: when it offers the name again, the claim fails.
  return (await offers.name(name, await readItems(access, before.project_id, wantedFor(name)))).value;
}

/** Settings that a request replaces. */
export const PLAIN_SETTINGS = [
  "console_auto_start",
  "console_type",
  "custom_adapters",
  "first_port_name",
  "locked",
  "port_name_format",
  "port_segment_size",
  "x",
  "y",
  "z",
] as const;

/** Returns the fields that the request contains; an absent field changes nothing. */
export function given<K extends keyof NodeUpdate>(
  body: NodeUpdate,
  keys: readonly K[],
): { [P in K]?: never } {
  return Object.fromEntries(
    keys.filter((key) => body[key] !== undefined).map((key) => [key, body[key]]),
  ) as never;
}

/** Sets the label's text to the name, and centres it again after a rename. */
export function labelAfter(before: NodeItem, name: string, wish: Label | undefined): Label {
  const label = wish ?? before.document.label;
  return name === before.name ? { ...label, text: name } : { ...label, text: name, x: null };
}

/** @throws ApiError `node.port-in-use` when the change removes a port with a link. */
export function refuseLostPorts(node: NodeItem, ports: Node["ports"]): void {
  const kept = new Set(ports.map((port) => portKey(port.adapter_number, port.port_number)));
  const lost = Object.keys(node.links).find((key) => !kept.has(key));
  if (lost !== undefined) throw failureOf(NODE_ERRORS, "node.port-in-use", { port: lost.replace("_", "/") });
}
