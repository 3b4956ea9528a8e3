/** Changes of a node of a registered compute: what the compute has of it is sent there first. */
import { readSettled, sendSettings } from "../shared/compute/nodes.ts";
import { portsOf } from "../shared/compute/ports.ts";
import type { Access } from "../shared/edge/access.ts";
import { DEFAULT_SYMBOL, symbolSize } from "../shared/node/appearance.ts";
import { withoutNulls } from "../shared/node/hardware.ts";
import { Offers } from "../shared/node/offers.ts";
import type { NodeUpdate } from "../shared/schemas/node.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import {
  type BeforeMove,
  beginDeed,
  endDeed,
  type NodeDocument,
  type NodeItem,
  updateNode as storeNode,
  toNode,
} from "../shared/store/lab/node.ts";
import { given, labelAfter, nameAfter, PLAIN_SETTINGS, refuseLostPorts, refuseReadOnly } from "./changes.ts";

/** The settings that computes have. */
const SENT = ["console", "console_type", "custom_adapters", "properties"] as const;

export function updateRealNode(
  access: Access,
  { project_id, node_id }: { readonly project_id: string; readonly node_id: string },
  body: NodeUpdate,
  host: string,
): Promise<NodeItem> {
  const offers = new Offers(project_id);
  return untilFresh(async () => {
    const before = await readSettled(access, project_id, node_id);
    refuseReadOnly(toNode(before, host), body);
    const name = await nameAfter(access, before, body.name, offers);
    const wanted = { ...before, name, document: await documentAfter(before, name, body) };
    refuseLostPorts(before, wanted.document.ports);
    if (!isSent(before, wanted)) return stored(await storeNode(before, wanted), name, offers);
    const begun = await beginDeed(before, "update");
    if (begun === STALE) return STALE;
    const document = await sendSettings(access, begun, wanted);
    const outcome = await storeNode(begun, { ...wanted, document });
    // Another node has the name by now: the next attempt sends another one.
    if (typeof outcome === "string") await endDeed(begun, {});
    return stored(outcome, name, offers);
  });
}

/** A rename whose name another node has claimed meanwhile begins again. */
function stored(
  outcome: Awaited<ReturnType<typeof storeNode>>,
  name: string,
  offers: Offers,
): NodeItem | typeof STALE {
  if (outcome === "name") offers.refuse(name);
  return typeof outcome === "string" ? STALE : outcome;
}

const isSent = (before: NodeItem, after: NodeItem): boolean =>
  before.name !== after.name ||
  SENT.some((key) => JSON.stringify(before.document[key]) !== JSON.stringify(after.document[key]));

async function documentAfter(before: NodeItem, name: string, body: NodeUpdate): Promise<NodeDocument> {
  const old = before.document;
  const symbol = body.symbol === undefined ? old.symbol : (body.symbol ?? DEFAULT_SYMBOL);
  const size = symbol === old.symbol ? { width: old.width, height: old.height } : await symbolSize(symbol);
  const document = {
    ...old,
    ...size,
    symbol,
    label: labelAfter(before, name, body.label),
    ...given(body, PLAIN_SETTINGS),
    ...(body.console != null && { console: body.console }),
    properties: withoutNulls({ ...old.properties, ...body.properties }),
    ...(old.before_move && { before_move: beforeMove(old.before_move, old, body) }),
  };
  return { ...document, ports: portsOf(document) };
}

/** Returns what a node was before it moved to its compute, with what the request changes: clients send all settings with one. */
function beforeMove(
  here: BeforeMove,
  old: NodeDocument,
  { properties, console_type }: NodeUpdate,
): BeforeMove {
  const isChanged = ([key, value]: [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify(old.properties[key]);
  const changed = Object.fromEntries(Object.entries(properties ?? {}).filter(isChanged));
  return {
    ...here,
    properties: { ...here.properties, ...changed },
    ...(console_type !== undefined && console_type !== old.console_type && { console_type }),
  };
}
