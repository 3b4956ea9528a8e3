/** Finds the link or node of the page that a lab which was played names. */
import type { Link, Node } from "../api/types.ts";
import type { SweepRow } from "./play.ts";

type ById<T> = ReadonlyMap<string, T>;

/** @returns undefined for the case without a failure, and for what was deleted or renamed meanwhile. */
export function idOfFailed(
  { failure, ends }: Pick<SweepRow, "failure" | "ends">,
  nodes: ById<Node>,
  links: ById<Link>,
): string | undefined {
  if (failure === undefined) return undefined;
  if (failure.kind === "node") return [...nodes.values()].find(({ name }) => name === failure.name)?.node_id;
  return idOfLink(ends, nodes, links);
}

/** @param ends nodes by name, and ports by number. */
export function idOfLink(ends: SweepRow["ends"], nodes: ById<Node>, links: ById<Link>): string | undefined {
  const wanted = ends
    .map(({ node, port }) => `${node} ${port}`)
    .toSorted()
    .join();
  const found = [...links.values()].find((link) => endsOf(link, nodes).toSorted().join() === wanted);
  return found?.link_id;
}

/** A container has an adapter for each port, or one adapter with all ports; other nodes have one adapter. */
const toEnd = ({ node_id, adapter_number, port_number }: Link["nodes"][number], nodes: ById<Node>) => {
  const node = nodes.get(node_id);
  return {
    node: node?.name ?? "",
    port: node?.node_type === "docker" ? adapter_number + port_number : port_number,
  };
};

const endsOf = (link: Link, nodes: ById<Node>): string[] =>
  link.nodes.map((end) => toEnd(end, nodes)).map(({ node, port }) => `${node} ${port}`);

/** The end of a link at a node, as a lab that is played names it. */
export const endOfLink = (link: Link, nodeId: string, nodes: ById<Node>): { node: string; port: number } =>
  toEnd(link.nodes.find(({ node_id }) => node_id === nodeId)!, nodes);
