/** How stored nodes are shown. */
import { expect, test, vi } from "vitest";

vi.stubEnv("TABLE_NAME", "table");
const { toNode } = await import("../../../../functions/shared/store/lab/node.ts");

const stored = (document: object, index?: number) =>
  ({
    project_id: "p",
    node_id: "n",
    name: "PC1",
    status: "stopped",
    index,
    document: { node_type: "vpcs", console_type: "telnet", ...document },
  }) as never;

test.each([
  ["its number", { console: 6001 }, 3, 6001],
  ["the number of its index, if an earlier release stored none", { console: null }, 3, 5003],
  ["no number beyond the last port", { console: null }, 60_536, null],
  ["no number if it has no console", { console: null, console_type: "none" }, 3, null],
  ["no number if it has no index", { console: null }, undefined, null],
])("a node shows %s", (_what, document, index, console) => {
  expect(toNode(stored(document, index), "lab.example").console).toBe(console);
});

test("a node's console is at the host of the request", () => {
  expect(toNode(stored({ console: 5000 }), "lab.example").console_host).toBe("lab.example");
});
