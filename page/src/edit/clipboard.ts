/** Copies devices with the links among them, also from one lab to another in the same tab. */
import { call } from "../api/call.ts";
import type { Link, Node } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";
import type { Parts } from "./recreate.ts";
import { noteMade } from "./remove.ts";

let copied: Pick<Parts, "nodes" | "links"> | null = null;
/** How far from the original a copy lies, in pixels of the canvas. */
const OFFSET = 60;

/** Remembers the selected devices and the links that have both ends among them. */
export function copySelected({ nodes, links, selection }: Lab): void {
  const chosen = [...nodes.value.values()].filter(({ node_id }) => selection.value.has(node_id));
  if (chosen.length === 0) return;
  const ids = new Set(chosen.map(({ node_id }) => node_id));
  copied = {
    nodes: chosen,
    links: [...links.value.values()].filter(({ nodes: ends }) =>
      ends.every(({ node_id }) => ids.has(node_id)),
    ),
  };
}

/** Makes what was copied. The service names each device, because names of a lab are different. */
export async function paste(lab: Lab): Promise<void> {
  if (copied === null) return;
  const nodes: Node[] = [];
  const links: Link[] = [];
  try {
    await makeCopies(lab, copied, nodes, links);
  } finally {
    if (nodes.length > 0) notePasted(lab, nodes, links);
  }
}

/** Adds to `nodes` and `links` what is made, also when a later part is refused. */
async function makeCopies(
  lab: Lab,
  from: Pick<Parts, "nodes" | "links">,
  nodes: Node[],
  links: Link[],
): Promise<void> {
  const ids = new Map<string, string>();
  for (const node of from.nodes) {
    const { name, compute_id, node_type, properties, symbol, x, y, template_id } = node;
    const body = {
      ...{ compute_id, node_type, properties, symbol, template_id },
      name: `${name.replace(/\d+$/, "")}{0}`,
      x: x + OFFSET,
      y: y + OFFSET,
    };
    const made = await call<Node>("POST", `${lab.path}/nodes`, { body });
    ids.set(node.node_id, made.node_id);
    nodes.push(made);
    lab.putNode(made);
  }
  for (const { nodes: ends, filters, suspend, link_style } of from.links) {
    const copies = ends.map((end) => ({ ...end, node_id: ids.get(end.node_id) }));
    const link = await call<Link>("POST", `${lab.path}/links`, {
      body: { nodes: copies, filters, suspend, link_style },
    });
    links.push(link);
    lab.putLink(link);
  }
}

function notePasted(lab: Lab, nodes: readonly Node[], links: readonly Link[]): void {
  const made = new Set(nodes.map(({ node_id }) => node_id));
  lab.selection.value = made;
  // The next copy lies beside this one.
  copied = { nodes, links };
  noteMade(lab, nodes.length === 1 ? "paste a device" : `paste ${nodes.length} devices`, made);
}
