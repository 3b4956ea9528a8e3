/** The steps of transactions that remove parts of a lab together with what belongs to them, and write them again. */
import { DeleteTransaction } from "dynamodb-toolbox/entity/actions/transactDelete";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $add, $set } from "dynamodb-toolbox/entity/actions/update";
import { freeNumbers, INDEXES, namesLike, partsOf } from "../base/number-series.ts";
import type { Transaction } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { CaptureEntity, type CaptureItem } from "../lab/capture.ts";
import { DrawingEntity, type DrawingItem } from "../lab/drawing.ts";
import { LinkEntity, removeLinkAsRead } from "../lab/link.ts";
import {
  claimedConsole,
  freePorts,
  NodeConsoleEntity,
  NodeEntity,
  NodeIndexEntity,
  type NodeItem,
  NodeNameEntity,
  portKey,
  unchanged,
} from "../lab/node.ts";
import type { DeletedParts } from "./deletion.ts";

/** What is on a port of a node. */
type Wire = NodeItem["links"][string] & object;
/** By node id, then by port. */
export type Wires = ReadonlyMap<string, ReadonlyMap<string, Wire>>;

/** Returns the ports of nodes that are not among the parts, and what the parts' links put on them. */
export function outerWires({ nodes, links }: Pick<DeletedParts, "nodes" | "links">): Wires {
  const inside = new Set(nodes.map(({ node_id }) => node_id));
  const wires = new Map<string, Map<string, Wire>>();
  for (const { link_id, document } of links) {
    const [first, second] = document.nodes;
    for (const [end, peer] of [
      [first, second],
      [second, first],
    ]) {
      if (end === undefined || inside.has(end.node_id)) continue;
      const leadsTo = peer
        ? { peer_id: peer.node_id, peer_port: portKey(peer.adapter_number, peer.port_number) }
        : {};
      const own = wires.get(end.node_id) ?? new Map<string, Wire>();
      const port = portKey(end.adapter_number, end.port_number);
      wires.set(end.node_id, own.set(port, { link_id, ...leadsTo }));
    }
  }
  return wires;
}

/** Returns the steps that remove parts as they were read. */
export function removingParts(projectId: string, parts: DeletedParts): Transaction[] {
  const { nodes, links, drawings, captures } = parts;
  return [
    ...nodes.flatMap(removeNode),
    ...freeSeries(projectId, nodes),
    ...links.map(removeLinkAsRead),
    ...[...outerWires(parts)].map(([node, wires]) =>
      freePorts(projectId, node, new Map([...wires].map(([port, { link_id }]) => [port, link_id]))),
    ),
    ...captures.map(removeCapture),
    ...drawings.map(removeDrawing),
  ];
}

function removeNode(node: NodeItem): Transaction[] {
  const { project_id, node_id, name, index, guest_bytes, state_run } = node;
  const claimed_console = claimedConsole(node);
  const asRead = { ...unchanged(node), guest_bytes, state_run };
  return [
    NodeEntity.build(DeleteTransaction).key({ project_id, node_id }).options(when(NodeEntity, asRead)),
    NodeNameEntity.build(DeleteTransaction).key({ project_id, claimed: name }),
    ...(index === undefined
      ? []
      : [NodeIndexEntity.build(DeleteTransaction).key({ project_id, claimed_index: index })]),
    ...(claimed_console === null
      ? []
      : [NodeConsoleEntity.build(DeleteTransaction).key({ project_id, claimed_console })]),
  ];
}

/** A transaction writes an item once: numbers of one series are freed together. */
function freeSeries(projectId: string, nodes: readonly NodeItem[]): Transaction[] {
  const freed = new Map<string, number[]>();
  const free = (id: string, number: number) => freed.set(id, [...(freed.get(id) ?? []), number]);
  for (const { name, index } of nodes) {
    const parts = partsOf(name);
    if (parts !== undefined) free(namesLike(parts.template).id, parts.number);
    if (index !== undefined) free(INDEXES.id, index);
  }
  return [...freed].map(([id, numbers]) => freeNumbers(projectId, id, numbers));
}

const removeCapture = ({ project_id, link_id, capture_id, stored, stopped_at }: CaptureItem): Transaction =>
  CaptureEntity.build(DeleteTransaction)
    .key({ project_id, link_id, capture_id })
    .options(when(CaptureEntity, { stored, stopped_at }, { attr: "capture_id", exists: true }));

const removeDrawing = ({ project_id, drawing_id, revision }: DrawingItem): Transaction =>
  DrawingEntity.build(DeleteTransaction)
    .key({ project_id, drawing_id })
    .options(when(DrawingEntity, { revision }));

/**
 * Returns the steps that write parts again, each on condition that nothing is in its place.
 * @param peers the nodes at the other ends of the links, as they were read.
 */
export function restoringParts(
  { nodes, links, drawings, captures }: DeletedParts,
  wires: Wires,
  peers: ReadonlyMap<string, NodeItem>,
): Transaction[] {
  return [
    ...nodes.flatMap(putNode),
    ...links.map((link) =>
      LinkEntity.build(PutTransaction)
        .item(link)
        .options(when(LinkEntity, { link_id: undefined })),
    ),
    ...[...wires].map(([id, own]) => takePorts(peers.get(id)!, own)),
    ...captures.map((capture) =>
      CaptureEntity.build(PutTransaction)
        .item(capture)
        .options(when(CaptureEntity, { capture_id: undefined })),
    ),
    ...drawings.map((drawing) =>
      DrawingEntity.build(PutTransaction)
        .item(drawing)
        .options(when(DrawingEntity, { drawing_id: undefined })),
    ),
  ];
}

function putNode(node: NodeItem): Transaction[] {
  const { project_id, node_id, name, index } = node;
  const claimed_console = claimedConsole(node);
  return [
    NodeEntity.build(PutTransaction)
      .item(node)
      .options(when(NodeEntity, { node_id: undefined })),
    NodeNameEntity.build(PutTransaction)
      .item({ project_id, claimed: name, node_id })
      .options(when(NodeNameEntity, { claimed: undefined })),
    ...(index === undefined
      ? []
      : [
          NodeIndexEntity.build(PutTransaction)
            .item({ project_id, claimed_index: index, node_id })
            .options(when(NodeIndexEntity, { claimed_index: undefined })),
        ]),
    ...(claimed_console === null
      ? []
      : [
          NodeConsoleEntity.build(PutTransaction)
            .item({ project_id, claimed_console, node_id })
            .options(when(NodeConsoleEntity, { claimed_console: undefined })),
        ]),
  ];
}

/** Takes ports of a node as it was read. */
function takePorts(
  { project_id, node_id, revision }: NodeItem,
  wires: ReadonlyMap<string, Wire>,
): Transaction {
  const links = Object.fromEntries([...wires].map(([port, wire]) => [port, $set(wire)]));
  const free = Object.fromEntries([...wires.keys()].map((port) => [`links.${port}`, undefined]));
  return NodeEntity.build(UpdateTransaction)
    .item({ project_id, node_id, links, wiring: $add(1) })
    .options(when(NodeEntity, { ...free, revision }));
}
