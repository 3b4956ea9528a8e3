/** What names the random streams of a link. */
import type { LinkEnd } from "../api/schemas/link.ts";

type End = Pick<LinkEnd, "node_id" | "port_number">;

/**
 * `PC1/0 PC2/0`: the ends' names and ports, in link order. Unlike ids they are the same in a lab that is built anew.
 * @param nameOf the name of a node; a node that is gone adds nothing.
 */
export const streamNameOf = (ends: readonly End[], nameOf: (nodeId: string) => string): string =>
  ends.map(({ node_id, port_number }) => `${nameOf(node_id)}/${port_number}`).join(" ");
