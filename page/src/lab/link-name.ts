/** Names of links and of their ports. */
import type { Link, Node } from "../api/types.ts";

export function portName(end: Link["nodes"][number], nodes: ReadonlyMap<string, Node>): string {
  const port = nodes
    .get(end.node_id)
    ?.ports.find(
      ({ adapter_number, port_number }) =>
        adapter_number === end.adapter_number && port_number === end.port_number,
    );
  return port?.short_name ?? `${end.adapter_number}/${end.port_number}`;
}

/** `PC1 e0 – SW1 e1` */
export const linkName = ({ nodes: ends }: Link, nodes: ReadonlyMap<string, Node>): string =>
  ends.map((end) => `${nodes.get(end.node_id)?.name ?? "?"} ${portName(end, nodes)}`).join(" – ");
