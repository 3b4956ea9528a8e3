import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { labItems } from "../../../../functions/shared/lab-copy/copied-items.ts";
import type { LabCopy } from "../../../../functions/shared/lab-copy/lab-copy.ts";

beforeAll(() => void vi.stubEnv("TABLE_NAME", "table"));
afterAll(() => void vi.unstubAllEnvs());

const node = (node_id: string, name: string, index: number | undefined, console: number | null) => ({
  node_id,
  name,
  index,
  status: "stopped" as const,
  document: {
    node_type: "vpcs",
    compute_id: "local",
    console_type: "telnet",
    console,
    ports: [],
    properties: {},
  },
});

test("a copied node claims its name, its number and the number of its console", () => {
  const nodes = [node("n1", "PC1", 0, 5000), node("n2", "SW1", undefined, null)];
  const copy = { nodes, links: [], drawings: [], files: [] } as unknown as LabCopy;
  const keys = labItems("p", copy, 1).map(({ sk }) => sk);
  expect(keys.toSorted()).toEqual([
    "NODE#n1",
    "NODE#n2",
    "TAKEN#PC1",
    "TAKEN#SW1",
    "TAKEN_CONSOLE#5000",
    "TAKEN_INDEX#0",
  ]);
});
