/** Deletes nodes with their links, links, and drawings; and makes them again. */
import { call } from "../api/call.ts";
import type { Drawing, Link, Node } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";

export interface Parts {
  readonly nodes: readonly Node[];
  readonly links: readonly Link[];
  readonly drawings: readonly Drawing[];
}

/** Returns the parts with these ids, and the links of the nodes among them. */
const partsOf = ({ nodes, links, drawings }: Lab, ids: ReadonlySet<string>): Parts => ({
  nodes: [...nodes.value.values()].filter(({ node_id }) => ids.has(node_id)),
  links: [...links.value.values()].filter(
    ({ link_id, nodes: ends }) => ids.has(link_id) || ends.some(({ node_id }) => ids.has(node_id)),
  ),
  drawings: [...drawings.value.values()].filter(({ drawing_id }) => ids.has(drawing_id)),
});

/** Deletes the parts without a note in the history. */
export async function removeAll(lab: Lab, ids: ReadonlySet<string>): Promise<void> {
  const { nodes, links, drawings } = partsOf(lab, ids);
  const remove = async (path: string, id: string) => {
    await call("DELETE", `${lab.path}/${path}/${id}`);
    lab.remove(id);
  };
  for (const { link_id } of links) await remove("links", link_id);
  for (const { node_id } of nodes) await remove("nodes", node_id);
  for (const { drawing_id } of drawings) await remove("drawings", drawing_id);
}

/** Makes the parts again, with their ids. */
export async function restoreAll(lab: Lab, { nodes, links, drawings }: Parts): Promise<void> {
  for (const node of nodes)
    lab.putNode(await call<Node>("POST", `${lab.path}/nodes`, { body: newNode(node) }));
  for (const link of links)
    lab.putLink(await call<Link>("POST", `${lab.path}/links`, { body: newLink(link) }));
  for (const drawing of drawings)
    lab.putDrawing(await call<Drawing>("POST", `${lab.path}/drawings`, { body: drawing }));
}

/** The fields of a node that a client may send when it makes one. */
function newNode(node: Node): object {
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

/** Deletes what is selected. */
export async function removeSelected(lab: Lab): Promise<void> {
  const ids = lab.selection.value;
  const parts = partsOf(lab, ids);
  const count = parts.nodes.length + parts.links.length + parts.drawings.length;
  if (count === 0) return;
  await removeAll(lab, ids);
  lab.history.note({
    name: count === 1 ? "delete a part" : `delete ${count} parts`,
    undo: () => restoreAll(lab, parts),
    redo: () => removeAll(lab, ids),
  });
}
