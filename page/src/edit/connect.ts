/** Connects two nodes. */
import { call } from "../api/call.ts";
import type { Link, Node, Port } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";
import { noteMade } from "./remove.ts";

/** The ports of a node that no link is on. */
export function freePorts(lab: Lab, node: Node): readonly Port[] {
  const taken = new Set(
    [...lab.links.value.values()].flatMap(({ nodes }) =>
      nodes
        .filter(({ node_id }) => node_id === node.node_id)
        .map(({ adapter_number, port_number }) => `${adapter_number}/${port_number}`),
    ),
  );
  return node.ports.filter(
    ({ adapter_number, port_number }) => !taken.has(`${adapter_number}/${port_number}`),
  );
}

type End = Pick<Port, "adapter_number" | "port_number">;

const endOf = (node: Node, { adapter_number, port_number }: End) => ({
  node_id: node.node_id,
  adapter_number,
  port_number,
});

/**
 * Makes a link between two nodes.
 * @param ports the ports of `a` and `b`; by default the first free one of each.
 * @throws Error when a node has no free port.
 */
export async function connect(
  lab: Lab,
  a: string,
  b: string,
  ports: readonly [End?, End?] = [],
): Promise<void> {
  const ends = [a, b].map((id, index) => {
    const node = lab.nodes.value.get(id)!;
    const port = ports[index] ?? freePorts(lab, node)[0];
    if (port === undefined) throw new Error(`${node.name} has no free port.`);
    return endOf(node, port);
  });
  const link = await call<Link>("POST", `${lab.path}/links`, { body: { nodes: ends } });
  lab.putLink(link);
  noteMade(lab, "connect two devices", new Set([link.link_id]));
}
