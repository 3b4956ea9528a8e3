/** The default name of a capture file (docs/interface.md, section 2.8). */
import type { LinkEnd } from "../shared/schemas/link.ts";

/**
 * `PC1_0-0_to_PC2_0-0.pcap`, in link order, of letters, digits, `_` and `-` only.
 * @param nameOf returns the name of a node; a deleted node adds nothing.
 */
export function defaultCaptureName(ends: readonly LinkEnd[], nameOf: (nodeId: string) => string): string {
  const sides = ends.map((end) => `${nameOf(end.node_id)}_${end.adapter_number}-${end.port_number}`);
  return `${sides
    .join("_to_")
    .replaceAll(/[^0-9A-Za-z_-]/g, "")
    .slice(0, MAX_STEM)}.pcap`;
}

/** Bounds the name: two long node names could exceed the limit of file systems. */
const MAX_STEM = 250;
