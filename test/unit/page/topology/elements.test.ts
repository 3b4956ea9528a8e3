import { expect, test } from "vitest";
import type { Link } from "../../../../page/src/api/types.ts";
import { parallelLinks } from "../../../../page/src/topology/elements.ts";

const link = (link_id: string, ...ends: string[]) =>
  ({ link_id, nodes: ends.map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 })) }) as Link;

test("links of the same two nodes are parallel, in either direction", () => {
  const links = [link("1", "a", "b"), link("2", "b", "a"), link("3", "a", "c"), link("4", "c", "b")];
  expect(parallelLinks(links)).toEqual(new Set(["1", "2"]));
});
