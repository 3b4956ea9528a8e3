import type { Access } from "../shared/edge/access.ts";
import { failure, invalidRequest, type Problem } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { DEFAULT_SYMBOL, symbolSize } from "../shared/node/appearance.ts";
import { readWish, wantedFor } from "../shared/node/name.ts";
import { Offers } from "../shared/node/offers.ts";
import { makeHardware } from "../shared/node/ports.ts";
import type { Label } from "../shared/schemas/common.ts";
import { hasConsole } from "../shared/schemas/console-number.ts";
import {
  type KnownType,
  type Node,
  type NodeUpdate,
  READ_ONLY_NODE_FIELDS,
  STARTED_WHEN_CREATED,
} from "../shared/schemas/node.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import {
  type NodeDocument,
  type NodeItem,
  portKey,
  updateNode as storeNode,
  toNode,
} from "../shared/store/lab/node.ts";
import { readItems } from "../shared/store/project/read.ts";
import { readNode } from "./read-node.ts";
import type { group } from "./routes.ts";

export const updateNode: Operation<typeof group.routes.updateNode> = async ({
  access,
  params,
  body,
  origin,
}) => {
  const { project_id, node_id } = params;
  const offers = new Offers(project_id);
  const node = await untilFresh(async () => {
    const before = await readNode(access, project_id, node_id);
    refuseReadOnly(toNode(before, origin.host), body);
    const name = await nameAfter(access, before, body.name, offers);
    const document = await documentAfter(before, name, body);
    refuseLostPorts(before, document.ports);
    refuseWhileRunning(before, document);
    const console = await consoleAfter(before, document, body.console, offers);
    const after = { ...before, name, document: { ...document, console } };
    const stored = await storeNode(before, after);
    if (stored === "name") offers.refuse(name);
    else if (stored === "console") offers.refuseConsole(console);
    else return stored;
    return STALE;
  });
  return { status: 200, body: toNode(node, origin.host) };
};

/** Rejects changed read-only fields; a client may send back the whole object that it received. */
function refuseReadOnly(current: Node, body: NodeUpdate): void {
  const problems: Problem[] = READ_ONLY_NODE_FIELDS.filter(
    (field) => body[field] !== undefined && JSON.stringify(body[field]) !== JSON.stringify(current[field]),
  ).map((field) => ({ path: `body.${field}`, message: "is read only" }));
  if (problems.length > 0) throw invalidRequest(problems);
}

async function nameAfter(
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

/** A number that another node has is replaced by a free one, as clients expect; null changes nothing. */
async function consoleAfter(
  { document: old, index }: NodeItem,
  { console_type }: NodeDocument,
  wish: number | null | undefined,
  offers: Offers,
): Promise<number | null> {
  if (!hasConsole(console_type)) return null;
  if (wish != null && wish !== old.console) return offers.console(wish, index);
  return old.console ?? offers.console(undefined, index);
}

async function documentAfter(
  before: NodeItem,
  name: string,
  body: NodeUpdate,
): Promise<NodeItem["document"]> {
  const old = before.document;
  const type = old.node_type as KnownType;
  // A client may send only the properties that it changes; GNS3's desktop client sends an empty object with each move.
  const hardware = body.properties === undefined ? {} : await makeHardware(type, body.properties, old);
  const symbol = body.symbol === undefined ? old.symbol : (body.symbol ?? DEFAULT_SYMBOL);
  const size = symbol === old.symbol ? { width: old.width, height: old.height } : await symbolSize(symbol);
  return {
    ...old,
    ...size,
    symbol,
    ...hardware,
    label: labelAfter(before, name, body.label),
    ...given(body, [
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
    ]),
  };
}

/** Returns the fields that the request contains; an absent field changes nothing. */
function given<K extends keyof NodeUpdate>(body: NodeUpdate, keys: readonly K[]): { [P in K]?: never } {
  return Object.fromEntries(
    keys.filter((key) => body[key] !== undefined).map((key) => [key, body[key]]),
  ) as never;
}

/** Sets the label's text to the name, and centres it again after a rename. */
function labelAfter(before: NodeItem, name: string, wish: Label | undefined): Label {
  const label = wish ?? before.document.label;
  return name === before.name ? { ...label, text: name } : { ...label, text: name, x: null };
}

/** @throws ApiError `node.port-in-use` when the change removes a port with a link. */
function refuseLostPorts(node: NodeItem, ports: Node["ports"]): void {
  const kept = new Set(ports.map((port) => portKey(port.adapter_number, port.port_number)));
  const lost = Object.keys(node.links).find((key) => !kept.has(key));
  if (lost !== undefined) throw failure("node.port-in-use", { port: lost.replace("_", "/") });
}

/**
 * Rejects changes of a running PC's or router's console type (docs/interface.md, section 4.6), and of a running router's properties,
 * because its console changes its configuration in memory.
 */
function refuseWhileRunning({ name, status, document: old }: NodeItem, after: NodeDocument): void {
  if (status === "stopped" || STARTED_WHEN_CREATED.has(old.node_type)) return;
  const isChanged = (key: "console_type" | "properties") =>
    JSON.stringify(after[key]) !== JSON.stringify(old[key]);
  if (isChanged("console_type")) throw failure("node.must-be-stopped", { name, what: "console type" });
  if (old.node_type === "router" && isChanged("properties")) {
    throw failure("node.must-be-stopped", { name, what: "properties" });
  }
}
