/**
 * Moves of nodes to registered computes: placeholders, and what is linked to them.
 *
 *     begin    compute_id, what the node was before, and `doing` noted    one transaction for all nodes
 *     end      the outcomes of the computes stored, the notes removed     one transaction
 *     undo     the node as it was before                                  as for other deeds
 */
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $add, $remove, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { STARTED_WHEN_CREATED } from "../../schemas/node.ts";
import { storable } from "../base/document.ts";
import { holds, holdsAll, MAX_TRANSACTION_ITEMS, STALE } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { noteMove } from "../project/project.ts";
import { begin, ended, noting } from "./doing.ts";
import { LinkEntity, type LinkItem, type TunnelEnd } from "./link.ts";
import { type BeforeMove, endDeed, NodeEntity, type NodeItem, unchanged } from "./node.ts";

/** The most nodes that one transaction moves, beside the project. */
export const MOST_MOVED = MAX_TRANSACTION_ITEMS - 1;

/** A node and where it goes. */
export interface Move {
  readonly node: NodeItem;
  readonly computeId: string;
  /** What its compute makes it from. */
  readonly properties: NodeItem["document"]["properties"];
}

/** @returns the nodes with the deed `move`; STALE when another request has changed one of them, or the project. */
export async function beginMoves(moves: readonly Move[]): Promise<NodeItem[] | typeof STALE> {
  const begun = moves.map(({ node, computeId, properties }) => {
    const { compute_id, command_line, console, console_type, node_directory, ports } = node.document;
    const own = { compute_id, command_line, console, console_type, node_directory, ports };
    const before_move: BeforeMove = { ...own, properties: node.document.properties };
    const document = { ...node.document, compute_id: computeId, properties, before_move };
    return { ...node, document, doing: begin("move"), revision: node.revision + 1 };
  });
  const steps = begun.map(({ project_id, node_id, document, doing, revision }, index) =>
    NodeEntity.build(UpdateTransaction)
      .item({ project_id, node_id, document: storable("node", document), revision, ...noting(doing) })
      .options(when(NodeEntity, unchanged(moves[index]!.node))),
  );
  return (await holdsAll([noteMove(begun[0]!.project_id), ...steps])) ? begun : STALE;
}

/** Stores the outcomes of all moves. @returns false when another request has taken one of them over; then nothing is stored. */
export const endMoves = (moved: readonly NodeItem[]): Promise<boolean> =>
  holdsAll(
    moved.map(({ project_id, node_id, document, status, doing }) =>
      NodeEntity.build(UpdateTransaction)
        .item({
          project_id,
          node_id,
          status,
          document: storable("node", document),
          ...ended,
          revision: $add(1),
        })
        .options(when(NodeEntity, { "doing.id": doing?.id }, { attr: "node_id", exists: true })),
    ),
  );

/** Returns the node as it was before its move, with what else of it has changed since; others as they are. */
export function asBeforeMove(node: NodeItem): NodeItem {
  const { before_move, console_host: _host, ...document } = node.document;
  if (before_move === undefined) return node;
  const status = STARTED_WHEN_CREATED.has(document.node_type) ? "started" : "stopped";
  return { ...node, status, document: { ...document, ...before_move } };
}

/** Stores a node that is being moved as it was before. */
export const undoMove = (node: NodeItem): Promise<NodeItem | typeof STALE> =>
  endDeed(node, { document: asBeforeMove(node).document });

/** Stores the tunnel of a link that was not on computes; without one, the link is as before. @returns false when it has changed. */
export const storeTunnel = (
  { project_id, link_id, revision }: LinkItem,
  tunnel: readonly TunnelEnd[] | undefined,
): Promise<boolean> =>
  holds(
    LinkEntity.build(UpdateItemCommand)
      .item({ project_id, link_id, tunnel: tunnel ?? $remove(), revision: revision + 1 })
      .options(when(LinkEntity, { revision })),
  );
