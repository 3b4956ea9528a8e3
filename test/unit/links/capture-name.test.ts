import { expect, test } from "vitest";
import { defaultCaptureName } from "../../../functions/links/capture-name.ts";

const end = (node_id: string, port_number: number) => ({
  node_id,
  adapter_number: 0,
  port_number,
  label: { text: "" },
});

test("names both ends in link order, without characters that a file name should not have", () => {
  const names: Record<string, string> = { a: "PC1", b: "én.1 x/../y" };
  expect(defaultCaptureName([end("a", 0), end("b", 3)], (id) => names[id]!)).toBe("PC1_0-0_to_n1xy_0-3.pcap");
});

test("stays within a file system's limit", () => {
  expect(defaultCaptureName([end("a", 0), end("b", 0)], () => "x".repeat(255))).toHaveLength(255);
});
