import { isPlaceholder } from "../schemas/node.ts";
import { isOnCompute, type NodeItem } from "../store/lab/node.ts";

/** Returns the ids of the placeholders that have not moved to a compute. */
export const placeholdersIn = (nodes: readonly NodeItem[]): string[] =>
  nodes
    .filter((node) => isPlaceholder(node.document.node_type) && !isOnCompute(node))
    .map(({ node_id }) => node_id);
