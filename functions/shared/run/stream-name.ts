/** Names of a link's random streams. */
import type { LinkEnd } from "../schemas/link.ts";

type End = Pick<LinkEnd, "node_id" | "port_number">;

/**
 * Returns the ends' names and ports, in link order: `PC1/0 PC2/0`. Unlike ids, they are the same in a lab that is built again.
 * @param nameOf returns the name of a node; a deleted node adds nothing.
 */
export const streamNameOf = (ends: readonly End[], nameOf: (nodeId: string) => string): string =>
  ends.map(({ node_id, port_number }) => `${nameOf(node_id)}/${port_number}`).join(" ");
