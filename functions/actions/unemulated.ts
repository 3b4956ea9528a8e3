/** Actions on nodes of types that the service does not emulate: no node of them is there. */
import type { Access } from "../shared/edge/access.ts";
import { failure } from "../shared/edge/errors.ts";
import { readNode, shownType } from "./read-node.ts";

interface InNode {
  readonly access: Access;
  readonly params: { readonly project_id: string; readonly node_id: string };
}

const actOn =
  (needed: "dynamips" | "qemu") =>
  async ({ access, params }: InNode): Promise<never> => {
    const node = await readNode(access, params.project_id, params.node_id);
    throw failure("node.type-not-emulated", { name: node.name, node_type: shownType(node), needed });
  };

export const findIdlePc = actOn("dynamips");
export const listIdlePcs = actOn("dynamips");
export const resizeDisk = actOn("qemu");
