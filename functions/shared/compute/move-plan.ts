/** Which nodes move to computes together: a link cannot join a simulated node and a node of a compute. */
import { failureOf } from "../edge/errors.ts";
import { MOVE_ERRORS } from "../edge/own-errors/move.ts";
import { isPlaceholder } from "../schemas/node.ts";
import type { Contents } from "../store/contents/read-contents.ts";
import type { LinkItem } from "../store/lab/link.ts";
import { MOST_MOVED } from "../store/lab/move-node.ts";
import { isOnCompute, type NodeItem } from "../store/lab/node.ts";

/** Types that are simulated here and that computes run, too, from the same properties. */
const RUN_BY_BOTH: ReadonlySet<string> = new Set(["vpcs", "ethernet_switch", "ethernet_hub", "cloud", "nat"]);

export interface MovePlan {
  readonly nodes: readonly NodeItem[];
  /** Links whose ends are then both on computes. */
  readonly links: readonly LinkItem[];
}

/**
 * Returns the placeholder and all nodes that links join to it, directly or through other nodes. A placeholder that no compute runs stays where
 * it is, with its links.
 * @param runs whether a compute runs the node.
 * @throws ApiError `node.cannot-move`
 */
export function planMove(
  placeholder: NodeItem,
  { nodes, links }: Contents,
  runs: (node: NodeItem) => boolean,
): MovePlan {
  const byId = new Map(nodes.map((node) => [node.node_id, node]));
  const endsOf = (link: LinkItem) => link.document.nodes.flatMap(({ node_id }) => byId.get(node_id) ?? []);
  const linksOf = new Map<NodeItem, LinkItem[]>();
  for (const link of links) {
    for (const end of endsOf(link)) linksOf.set(end, [...(linksOf.get(end) ?? []), link]);
  }
  const moved = new Set([placeholder]);
  for (const node of moved) {
    for (const peer of (linksOf.get(node) ?? []).flatMap(endsOf)) {
      if (moved.has(peer) || isOnCompute(peer) || stays(peer, runs)) continue;
      refuseUnmovable(peer, node, runs);
      moved.add(peer);
    }
  }
  if (moved.size > MOST_MOVED)
    throw cannotMove(
      placeholder,
      `${moved.size} nodes are linked to it, and at most ${MOST_MOVED} move at once`,
    );
  const joined = links.filter(
    (link) =>
      endsOf(link).some((end) => moved.has(end)) &&
      endsOf(link).every((end) => moved.has(end) || isOnCompute(end)),
  );
  for (const link of joined) refuseSimulatedLink(link, endsOf(link));
  return { nodes: [...moved], links: joined.filter(({ document }) => document.nodes.length === 2) };
}

const stays = (node: NodeItem, runs: (node: NodeItem) => boolean): boolean =>
  isPlaceholder(node.document.node_type) && !runs(node);

const cannotMove = ({ name }: NodeItem, why: string) =>
  failureOf(MOVE_ERRORS, "node.cannot-move", { name, why });

function refuseUnmovable(node: NodeItem, linked: NodeItem, runs: (node: NodeItem) => boolean): void {
  const { node_type } = node.document;
  const wayOut = `delete its link to ${linked.name}, which needs a compute`;
  if (!RUN_BY_BOTH.has(node_type) && !isPlaceholder(node_type))
    throw cannotMove(node, `this service alone runs nodes of type ${node_type}; ${wayOut}`);
  if (!runs(node))
    throw cannotMove(node, `no registered compute runs ${node_type} nodes; register one, or ${wayOut}`);
}

/** What a link between nodes of computes does not have. */
function refuseSimulatedLink({ capture, document }: LinkItem, [end, other]: readonly NodeItem[]): void {
  if (end === undefined) return;
  const link = `its link to ${(other ?? end).name}`;
  if (capture !== undefined && capture.at === undefined)
    throw cannotMove(end, `${link} is captured in virtual time; stop the capture`);
  if (document.impairments !== undefined)
    throw cannotMove(end, `${link} has impairments, which real time has not; delete them`);
}
