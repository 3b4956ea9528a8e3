import { failure } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { DEFAULT_SYMBOL, symbolSize } from "../shared/node/appearance.ts";
import type { Hardware, Properties } from "../shared/node/hardware.ts";
import { makeHardware } from "../shared/node/make-hardware.ts";
import { Offers } from "../shared/node/offers.ts";
import { changePlaceholder } from "../shared/node/placeholder-hardware.ts";
import { hasConsole } from "../shared/schemas/console-number.ts";
import {
  isPlaceholder,
  type KnownType,
  type NodeUpdate,
  STARTED_WHEN_CREATED,
} from "../shared/schemas/node.ts";
import { hasImage } from "../shared/schemas/router-image.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import {
  isOnCompute,
  type NodeDocument,
  type NodeItem,
  updateNode as storeNode,
  toNode,
} from "../shared/store/lab/node.ts";
import { given, labelAfter, nameAfter, PLAIN_SETTINGS, refuseLostPorts, refuseReadOnly } from "./changes.ts";
import { refuseMovedPorts, refuseRepeatedPorts } from "./port-identity.ts";
import { readNode } from "./read-node.ts";
import type { group } from "./routes.ts";
import { updateRealNode } from "./update-real-node.ts";

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
    if (isOnCompute(before)) throw ON_COMPUTE;
    refuseRepeatedPorts(body.properties);
    refuseReadOnly(toNode(before, origin.host), body);
    const name = await nameAfter(access, before, body.name, offers);
    const document = await documentAfter(before, name, body);
    refuseLostPorts(before, document.ports);
    refuseMovedPorts(before, document.properties);
    refuseWhileRunning(before, document);
    const console = await consoleAfter(before, document, body.console, offers);
    const after = { ...before, name, document: { ...document, console } };
    const stored = await storeNode(before, after);
    if (stored === "name") offers.refuse(name);
    else if (stored === "console") offers.refuseConsole(console);
    else return stored;
    return STALE;
  }).catch(async (error: unknown) => {
    if (error !== ON_COMPUTE) throw error;
    return updateRealNode(access, params, body, origin.host);
  });
  return { status: 200, body: toNode(node, origin.host) };
};

/** Thrown for a node whose settings its compute has. */
const ON_COMPUTE = new Error("The node is on a registered compute");

/** A number that another node has is replaced by a free one, as clients expect; null changes nothing. */
async function consoleAfter(
  { document: old, index }: NodeItem,
  { console_type, node_type }: NodeDocument,
  wish: number | null | undefined,
  offers: Offers,
): Promise<number | null> {
  if (!hasConsole(console_type)) return console_type === old.console_type ? old.console : null;
  if (isPlaceholder(node_type)) return wish ?? old.console;
  if (wish != null && wish !== old.console) return offers.console(wish, index);
  return old.console ?? offers.console(undefined, index);
}

async function hardwareAfter(old: NodeDocument, given: Properties): Promise<Hardware> {
  if (!isPlaceholder(old.node_type)) return makeHardware(old.node_type as KnownType, given, old);
  return changePlaceholder(old, given);
}

async function documentAfter(
  before: NodeItem,
  name: string,
  body: NodeUpdate,
): Promise<NodeItem["document"]> {
  const old = before.document;
  // A client may send only the properties that it changes; GNS3's desktop client sends an empty object with each move.
  const hardware = body.properties === undefined ? {} : await hardwareAfter(old, body.properties);
  const symbol = body.symbol === undefined ? old.symbol : (body.symbol ?? DEFAULT_SYMBOL);
  const size = symbol === old.symbol ? { width: old.width, height: old.height } : await symbolSize(symbol);
  return {
    ...old,
    ...size,
    symbol,
    ...hardware,
    label: labelAfter(before, name, body.label),
    ...given(body, PLAIN_SETTINGS),
  };
}

/**
 * Rejects changes of a running node's console type (docs/interface.md, section 4.6), and of a running router's or
 * server's properties, because a router's console changes its configuration in memory, and a server has connections.
 */
function refuseWhileRunning({ name, status, document: old }: NodeItem, after: NodeDocument): void {
  if (status === "stopped" || STARTED_WHEN_CREATED.has(old.node_type)) return;
  const isChanged = (key: "console_type" | "properties") =>
    JSON.stringify(after[key]) !== JSON.stringify(old[key]);
  if (isChanged("console_type")) throw failure("node.must-be-stopped", { name, what: "console type" });
  if (hasImage(old.node_type) && isChanged("properties")) {
    throw failure("node.must-be-stopped", { name, what: "properties" });
  }
}
