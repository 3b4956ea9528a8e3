/** The name of a capture file that was given none (docs/interface.md, section 2.8). */
import type { LinkEnd } from "../api/schemas/link.ts";

/**
 * `PC1_0-0_to_PC2_0-0.pcap`, in link order, of letters, digits, `_` and `-` only.
 * @param nameOf the name of a node; one that is gone adds nothing.
 */
export function defaultCaptureName(ends: readonly LinkEnd[], nameOf: (nodeId: string) => string): string {
  const sides = ends.map((end) => `${nameOf(end.node_id)}_${end.adapter_number}-${end.port_number}`);
  return `${sides
    .join("_to_")
    .replaceAll(/[^0-9A-Za-z_-]/g, "")
    .slice(0, MAX_STEM)}.pcap`;
}

/** Two long node names could make a file name that no file system takes. */
const MAX_STEM = 250;
