/** Actions on nodes of types that the service does not emulate: no node of them is there. */
import { failure } from "../shared/edge/errors.ts";
import { readNode, shownType } from "./read-node.ts";

const actOn =
  (needed: "dynamips" | "qemu") =>
  async ({ params }: { params: { project_id: string; node_id: string } }): Promise<never> => {
    const node = await readNode(params.project_id, params.node_id);
    throw failure("node.type-not-emulated", { name: node.name, node_type: shownType(node), needed });
  };

export const findIdlePc = actOn("dynamips");
export const listIdlePcs = actOn("dynamips");
export const resizeDisk = actOn("qemu");
