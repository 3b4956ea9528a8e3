/** Adds a node from a template. */
import { call } from "../api/call.ts";
import type { Node, Template } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";
import { noteMade } from "./remove.ts";

/** @param centre where the middle of the node will be. */
export async function addNode(lab: Lab, template: Template, centre: { x: number; y: number }): Promise<void> {
  const compute_id = template.compute_id ?? "local";
  const body = { compute_id, x: Math.round(centre.x - 30), y: Math.round(centre.y - 28) };
  const node = await call<Node>("POST", `${lab.path}/templates/${template.template_id}`, { body });
  lab.putNode(node);
  lab.selection.value = new Set([node.node_id]);
  noteMade(lab, `add ${node.name}`, new Set([node.node_id]));
}
