/** Parts of a lab, and how they are made anew where the service does not keep them. */
import { call } from "../api/call.ts";
import type { Drawing, Link, Node } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";

export interface Parts {
  readonly nodes: readonly Node[];
  readonly links: readonly Link[];
  readonly drawings: readonly Drawing[];
}

/** Returns the parts with these ids, and the links of the nodes among them. */
export const partsOf = (
  { nodes, links, drawings }: Pick<Lab, "nodes" | "links" | "drawings">,
  ids: ReadonlySet<string>,
): Parts => ({
  nodes: [...nodes.value.values()].filter(({ node_id }) => ids.has(node_id)),
  links: [...links.value.values()].filter(
    ({ link_id, nodes: ends }) => ids.has(link_id) || ends.some(({ node_id }) => ids.has(node_id)),
  ),
  drawings: [...drawings.value.values()].filter(({ drawing_id }) => ids.has(drawing_id)),
});

/** Makes the parts again, with their ids. */
export async function recreate(
  lab: Pick<Lab, "path" | "putNode" | "putLink" | "putDrawing">,
  { nodes, links, drawings }: Parts,
): Promise<void> {
  for (const node of nodes)
    lab.putNode(await call<Node>("POST", `${lab.path}/nodes`, { body: newNode(node) }));
  for (const link of links)
    lab.putLink(await call<Link>("POST", `${lab.path}/links`, { body: newLink(link) }));
  for (const drawing of drawings)
    lab.putDrawing(await call<Drawing>("POST", `${lab.path}/drawings`, { body: drawing }));
}

/** The fields of a node that a client may send when it makes one. */
export function newNode(node: Node) {
  const {
    status,
    ports,
    project_id,
    command_line,
    console_host,
    height,
    width,
    node_directory,
    console,
    ...rest
  } = node;
  return rest;
}

const newLink = ({ link_id, nodes, filters, suspend, link_style }: Link): object => ({
  link_id,
  nodes,
  filters,
  suspend,
  link_style,
});
