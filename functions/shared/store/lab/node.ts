/** Nodes, the links on their ports, and the claims of their names. */

import type { NodeState } from "@wirelab/engine/simulation/lab";
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { DeleteTransaction } from "dynamodb-toolbox/entity/actions/transactDelete";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $add, $remove, $set, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { item } from "dynamodb-toolbox/schema/item";
import { map } from "dynamodb-toolbox/schema/map";
import { number } from "dynamodb-toolbox/schema/number";
import { record } from "dynamodb-toolbox/schema/record";
import { string } from "dynamodb-toolbox/schema/string";
import { failure } from "../../edge/errors.ts";
import { consoleAt, hasConsole } from "../../schemas/console-number.ts";
import { isPlaceholder, type Node, type NodeStatus, type NodeType } from "../../schemas/node.ts";
import { asContainer, hasImage } from "../../schemas/router-image.ts";
import { document, optionalDocument, storable } from "../base/document.ts";
import { freeName, freeNumber, INDEXES } from "../base/number-series.ts";
import { forEachParallel } from "../base/parallel.ts";
import { projectKey, table } from "../base/table.ts";
import { holds, holdsAll, STALE, type Transaction, transact } from "../base/transact.ts";
import { when } from "../base/when.ts";
import type { Usage } from "../limits/quota.ts";
import { addWhileOpened, discount, disturbRuns, type ProjectItem } from "../project/project.ts";
import { begin, type Deed, ended, listed, noting, storedDoing, storedListing } from "./doing.ts";

/** The compute that simulates; others are registered computes, which run nodes in real time. */
const SIMULATING = "local";

/** Returns whether a registered compute has the node. */
export const isOnCompute = ({ document }: Pick<NodeItem, "document">): boolean =>
  document.compute_id !== SIMULATING;

/** The attributes that the table need not query. */
export interface NodeDocument
  extends Omit<Node, "project_id" | "node_id" | "name" | "status" | "node_type" | "console_host"> {
  readonly node_type: NodeType;
  /** Settings of a router or server that only clients use: router-image.ts. */
  readonly container?: Record<string, unknown>;
  /** The host of a node on a registered compute; the others have that of the request. */
  readonly console_host?: string;
  /** What a node was here before it moved to its compute, where it did: move-node.ts. */
  readonly before_move?: BeforeMove;
}

/** The part of a node that a move to a compute changes. */
export type BeforeMove = Pick<
  NodeDocument,
  "compute_id" | "command_line" | "console" | "console_type" | "node_directory" | "ports" | "properties"
>;

export const NodeEntity = new Entity({
  name: "node",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    node_id: string().key(),
    name: string(),
    status: string().enum("stopped", "started", "suspended"),
    document: document<NodeDocument>(),
    /** The link on each taken port, by `portKey`, and its other end. */
    links: record(
      string(),
      map({ link_id: string(), peer_id: string().optional(), peer_port: string().optional() }),
    ),
    /** Counts changes of `links`. */
    wiring: number(),
    /** Number among the lab's PCs, routers and servers; it determines their MAC addresses. */
    index: number().optional(),
    /** State of the device, and the run that wrote it. */
    state: optionalDocument<NodeState>(),
    state_run: number().optional(),
    /** Bytes of the object with the state of a Linux node's guest, as the project counts them; 0 while the node is off. */
    guest_bytes: number().optional(),
    /** Counts changes of all other attributes except the status. */
    revision: number(),
    created_us: number(),
    doing: storedDoing,
    listing: storedListing,
  }),
  computeKey: ({ project_id, node_id }) => ({ pk: projectKey(project_id), sk: `NODE#${node_id}` }),
});

export type NodeItem = FormattedItem<typeof NodeEntity>;

const NameEntity = new Entity({
  name: "node-name",
  table,
  timestamps: false,
  schema: item({ project_id: string().key(), claimed: string().key(), node_id: string() }),
  computeKey: ({ project_id, claimed }) => ({ pk: projectKey(project_id), sk: `TAKEN#${claimed}` }),
});

/** Claim of a number among the lab's PCs and routers. */
const IndexEntity = new Entity({
  name: "node-index",
  table,
  timestamps: false,
  schema: item({ project_id: string().key(), claimed_index: number().key(), node_id: string() }),
  computeKey: ({ project_id, claimed_index }) => ({
    pk: projectKey(project_id),
    sk: `TAKEN_INDEX#${claimed_index}`,
  }),
});

/** Claim of the number of a node's console. */
const ConsoleEntity = new Entity({
  name: "node-console",
  table,
  timestamps: false,
  schema: item({ project_id: string().key(), claimed_console: number().key(), node_id: string() }),
  computeKey: ({ project_id, claimed_console }) => ({
    pk: projectKey(project_id),
    sk: `TAKEN_CONSOLE#${claimed_console}`,
  }),
});

export { ConsoleEntity as NodeConsoleEntity, IndexEntity as NodeIndexEntity, NameEntity as NodeNameEntity };

const claimName = (project_id: string, claimed: string, node_id: string): Transaction =>
  NameEntity.build(PutTransaction)
    .item({ project_id, claimed, node_id })
    .options(when(NameEntity, { claimed: undefined }));

const releaseName = (project_id: string, claimed: string): Transaction[] => [
  NameEntity.build(DeleteTransaction).key({ project_id, claimed }),
  ...freeName(project_id, claimed),
];

const claimIndex = (project_id: string, claimed_index: number, node_id: string): Transaction =>
  IndexEntity.build(PutTransaction)
    .item({ project_id, claimed_index, node_id })
    .options(when(IndexEntity, { claimed_index: undefined }));

const claimConsole = (project_id: string, claimed_console: number, node_id: string): Transaction =>
  ConsoleEntity.build(PutTransaction)
    .item({ project_id, claimed_console, node_id })
    .options(when(ConsoleEntity, { claimed_console: undefined }));

/**
 * Returns the number that no other node of the project may have. A registered compute chooses the numbers of its consoles. A placeholder,
 * and a node without a console, only keep the number that their project file has. A node that moved to a compute keeps its claim.
 */
export function claimedConsole({
  document: { before_move, ...shown },
}: Pick<NodeItem, "document">): number | null {
  const document = { ...shown, ...before_move };
  const { node_type, console, console_type } = document;
  if (isOnCompute({ document }) || isPlaceholder(node_type) || !hasConsole(console_type)) return null;
  return console ?? null;
}

const freeConsole = (node: NodeItem): Transaction[] => {
  const claimed_console = claimedConsole(node);
  if (claimed_console === null) return [];
  return [ConsoleEntity.build(DeleteTransaction).key({ project_id: node.project_id, claimed_console })];
};

export const portKey = (adapter: number, port: number): string => `${adapter}_${port}`;

/** The host of a console outside of a request: clients then use the host to which they are connected. */
export const ANY_HOST = "0.0.0.0";

/** @param host the host to which the request was sent, which serves the consoles, too. */
export function toNode(stored: NodeItem, host: string): Node {
  const { project_id, node_id, name, status, document, index } = stored;
  const { container, node_type, before_move: _here, ...shown } = document;
  // Earlier releases stored PCs and routers without the numbers of their consoles; the next change of the node stores it.
  const console = shown.console ?? (hasConsole(shown.console_type) ? (consoleAt(index) ?? null) : null);
  const console_host = shown.console_host ?? host;
  const own = { ...shown, console, console_host, project_id, node_id, name, status };
  if (!hasImage(node_type)) return { ...own, node_type };
  const properties = asContainer(node_type, shown.properties, shown.ports, container);
  return { ...own, node_type: "docker", properties };
}

/** @throws ApiError `node.not-found` */
export function existingNode(stored: NodeItem | undefined, nodeId: string): NodeItem {
  if (stored === undefined) throw failure("node.not-found", { node_id: nodeId });
  return stored;
}

/**
 * Creates a node and claims its name, its number and the number of its console.
 * @param takes steps that take the number and the name from their series.
 * @returns `name`, `index` or `console` when another node has claimed that; STALE when the node exists, the project accepts no changes or
 *   no more nodes, or a series has changed since it was read.
 */
export async function createNode(
  node: NodeItem,
  takes: readonly Transaction[],
): Promise<"created" | "name" | "index" | "console" | typeof STALE> {
  const { project_id, node_id, name, index } = node;
  const console = claimedConsole(node);
  storable("node", node.document);
  const refused = await transact({
    project: addWhileOpened(project_id, { node_count: 1 }, isOnCompute(node) ? { on_computes: true } : {}),
    node: NodeEntity.build(PutTransaction)
      .item({ ...node, ...listed(node.doing) })
      .options(when(NodeEntity, { node_id: undefined })),
    name: claimName(project_id, name, node_id),
    index: index === undefined ? undefined : claimIndex(project_id, index, node_id),
    console: console === null ? undefined : claimConsole(project_id, console, node_id),
    takes,
  });
  if (refused.size === 0) return "created";
  if (refused.has("project") || refused.has("node")) return STALE;
  return (["name", "index", "console"] as const).find((claim) => refused.has(claim)) ?? STALE;
}

/**
 * Stores a changed node with the claims of a new name and a new console, if the node, its wiring and its power are as they were
 * read.
 * @returns STALE when another request changed one of these, `name` or `console` when another node has claimed that.
 */
export async function updateNode(
  before: NodeItem,
  after: NodeItem,
): Promise<NodeItem | "name" | "console" | typeof STALE> {
  const { project_id, node_id, name } = after;
  const changes = {
    project_id,
    node_id,
    name,
    document: storable("node", after.document),
    revision: before.revision + 1,
    ...(before.doing && ended),
  };
  const condition = when(NodeEntity, unchanged(before));
  const console = claimedConsole(after);
  const sameName = name === before.name;
  const sameConsole = console === claimedConsole(before) || isOnCompute(after);
  if (sameName && sameConsole && isSame(before.document.properties, after.document.properties)) {
    const update = NodeEntity.build(UpdateItemCommand).item(changes).options(condition);
    return (await holds(update)) ? { ...after, doing: undefined, revision: changes.revision } : STALE;
  }
  const refused = await transact({
    node: NodeEntity.build(UpdateTransaction).item(changes).options(condition),
    // A running lab has built its device from the old settings.
    project: disturbRuns(project_id),
    name: sameName ? undefined : claimName(project_id, name, node_id),
    earlierName: sameName ? undefined : releaseName(project_id, before.name),
    console: sameConsole || console === null ? undefined : claimConsole(project_id, console, node_id),
    earlierConsole: sameConsole ? undefined : freeConsole(before),
  });
  if (refused.size === 0) return { ...after, doing: undefined, revision: changes.revision };
  if (refused.has("node") || refused.has("project")) return STALE;
  return refused.has("name") ? "name" : "console";
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export const unchanged = ({ revision, wiring, status }: NodeItem) => ({ revision, wiring, status });

/** Notes what is being done with a node, as it was read, on its compute. @returns STALE when another request changed it. */
export async function beginDeed(node: NodeItem, what: Deed): Promise<NodeItem | typeof STALE> {
  const { project_id, node_id } = node;
  const doing = begin(what, what === "create" ? node.doing?.source : undefined);
  const revision = node.revision + 1;
  const update = NodeEntity.build(UpdateItemCommand)
    .item({ project_id, node_id, ...noting(doing), revision })
    .options(when(NodeEntity, unchanged(node)));
  return (await holds(update)) ? { ...node, doing, revision } : STALE;
}

/** Stores the outcome of a deed. @returns the node; STALE when another request has taken the deed over. */
export async function endDeed(
  node: NodeItem,
  outcome: Partial<Pick<NodeItem, "document" | "status">>,
): Promise<NodeItem | typeof STALE> {
  const { project_id, node_id, doing } = node;
  if (outcome.document) storable("node", outcome.document);
  const update = NodeEntity.build(UpdateItemCommand)
    .item({ project_id, node_id, ...outcome, ...ended, revision: $add(1) })
    .options(when(NodeEntity, { "doing.id": doing?.id }, { attr: "node_id", exists: true }));
  if (!(await holds(update))) return STALE;
  return { ...node, ...outcome, doing: undefined, revision: node.revision + 1 };
}

/**
 * Stores the state of a node's device outside of a run; a run that has read the old state begins again.
 * @param project as it was read with the node.
 * @returns false when a run or another request changed the node since it was read.
 */
export function storeDevice(
  { run, states }: Pick<ProjectItem, "run" | "states">,
  before: NodeItem,
  state: NodeState,
): Promise<boolean> {
  const { project_id, node_id, state_run } = before;
  return holdsAll([
    NodeEntity.build(UpdateTransaction)
      // The item is then as new as what a large run has left of the node.
      .item({ project_id, node_id, state, ...(states && { state_run: run ?? 0 }), revision: $add(1) })
      .options(when(NodeEntity, { ...unchanged(before), state_run })),
    disturbRuns(project_id, { states }),
  ]);
}

/**
 * Stores the status that a node has got on its compute by itself.
 * @returns false when another request has changed the node since it was read, or does something with it.
 */
export const noteStatus = (node: NodeItem, status: NodeStatus): Promise<boolean> =>
  holds(
    NodeEntity.build(UpdateItemCommand)
      .item({ project_id: node.project_id, node_id: node.node_id, status })
      .options(when(NodeEntity, { ...unchanged(node), doing: undefined })),
  );

/** @returns false when the node is gone. */
function setNodeStatus(projectId: string, nodeId: string, status: NodeStatus): Promise<boolean> {
  return holds(
    NodeEntity.build(UpdateItemCommand)
      .item({ project_id: projectId, node_id: nodeId, status })
      .options(when(NodeEntity, { attr: "node_id", exists: true })),
  );
}

const PARALLEL_WRITES = 16;

/** Sets the status of many nodes; skips nodes that were deleted meanwhile. */
export const setNodeStatuses = (nodes: readonly NodeItem[], status: NodeStatus): Promise<void> =>
  forEachParallel(nodes, PARALLEL_WRITES, (node) => setNodeStatus(node.project_id, node.node_id, status));

/** Returns a step that stops a node outside of a run; the caller discounts the bytes of its guest, which are as they were read. */
export const stopNode = ({ project_id, node_id, guest_bytes }: NodeItem): Transaction =>
  NodeEntity.build(UpdateTransaction)
    .item({ project_id, node_id, status: "stopped", ...(guest_bytes && { guest_bytes: 0 }) })
    .options(when(NodeEntity, { attr: "node_id", exists: true }, { guest_bytes }));

/**
 * Stops a Linux node outside of a run, and discounts the bytes of its guest.
 * @returns false when another request has changed these since the node was read.
 */
export const stopGuest = (node: NodeItem): Promise<boolean> =>
  holdsAll([stopNode(node), discount(node.project_id, { stored_bytes: node.guest_bytes })]);

/** Returns a step that takes a port of a node as it was read: the port must be free and the node unchanged. */
export function takePort(
  node: NodeItem,
  port: string,
  link: NodeItem["links"][string] & object,
): Transaction {
  return NodeEntity.build(UpdateTransaction)
    .item({
      project_id: node.project_id,
      node_id: node.node_id,
      links: { [port]: $set(link) },
      wiring: $add(1),
    })
    .options(when(NodeEntity, { [`links.${port}`]: undefined, revision: node.revision }));
}

/** Returns a step that frees ports of a node, if the named links are on them. */
export function freePorts(
  projectId: string,
  nodeId: string,
  ports: ReadonlyMap<string, string>,
): Transaction {
  const removals = Object.fromEntries([...ports.keys()].map((port) => [port, $remove()]));
  const asNamed = Object.fromEntries([...ports].map(([port, linkId]) => [`links.${port}.link_id`, linkId]));
  return NodeEntity.build(UpdateTransaction)
    .item({ project_id: projectId, node_id: nodeId, links: removals, wiring: $add(1) } as never)
    .options(when(NodeEntity, asNamed));
}

/** The largest number of steps that remove a node. */
export const NODE_STEPS = 7;

/** Returns steps that remove a node as it was read, and its claims. @param others usage that is removed with the node. */
export function removeNode(node: NodeItem, others: Usage): Transaction[] {
  const { project_id, node_id, name, index, guest_bytes } = node;
  const stored_bytes = (others.stored_bytes ?? 0) + (guest_bytes ?? 0);
  return [
    discount(project_id, { ...others, node_count: 1, stored_bytes }),
    NodeEntity.build(DeleteTransaction)
      .key({ project_id, node_id })
      .options(when(NodeEntity, { ...unchanged(node), guest_bytes })),
    ...releaseName(project_id, name),
    ...freeConsole(node),
    ...(index === undefined
      ? []
      : [
          IndexEntity.build(DeleteTransaction).key({ project_id, claimed_index: index }),
          freeNumber(project_id, INDEXES, index),
        ]),
  ];
}
