/** Where the packets of a link between nodes of computes are filtered. */
import type { NodeItem } from "../store/lab/node.ts";

/** The types whose computes filter packets, with uBridge; the first such end of a link does. */
const FILTERING: ReadonlySet<string> = new Set([
  "vpcs",
  "traceng",
  "vmware",
  "dynamips",
  "qemu",
  "iou",
  "cloud",
  "nat",
  "virtualbox",
  "docker",
]);

/** @param nodes those of the link's ends, in the link's order. @returns the index of the end that filters, or -1. */
export const filteringEnd = (nodes: readonly NodeItem[]): number =>
  nodes.findIndex(({ document }) => FILTERING.has(document.node_type));
