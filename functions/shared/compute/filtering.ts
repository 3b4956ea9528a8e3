/** Where the packets of a link between nodes of computes are filtered. */
import type { NodeItem } from "../store/lab/node.ts";
import { computeTypeOf } from "./compute-types.ts";

/** The first end whose compute filters packets does. @param nodes those of the link's ends, in the link's order. @returns the index of the end that filters, or -1. */
export const filteringEnd = (nodes: readonly NodeItem[]): number =>
  nodes.findIndex(({ document }) => computeTypeOf(document.node_type).filters);
