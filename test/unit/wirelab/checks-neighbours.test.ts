import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseLabText } from "../../../packages/wirelab/load-lab-file.ts";
import { guestsWithAnswers } from "../../helpers/engine/script-node.ts";

const TOPOLOGY = `
topology:
  nodes:
    r1: {kind: linux, image: frr, binds: [frr.conf:/etc/frr/frr.conf]}
    r2: {kind: linux, image: frr, binds: [frr.conf:/etc/frr/frr.conf]}
    pc1: {kind: linux}
  links: [{endpoints: [r1:eth1, r2:eth1]}]
`;

/** Whether neighbours are checked in a file beside the topology. */
function checks(name: string, text: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-neighbours-"));
  mkdirSync(join(folder, "labs"));
  writeFileSync(join(folder, "labs", "frr.conf"), "router ospf\n network 0.0.0.0/0 area 0\n");
  writeFileSync(join(folder, "labs", "pair.clab.yml"), TOPOLOGY);
  writeFileSync(join(folder, "labs", name), text);
  const guests = guestsWithAnswers(() => "{}");
  return parseLabText(text, join(folder, "labs", name), guests).checksNeighbours === true;
}

test("neighbours are checked in a topology, and in a lab file that names one, unless it says no", () => {
  expect(checks("pair.clab.yml", TOPOLOGY)).toBe(true);
  expect(checks("x.lab.yaml", "topology: pair.clab.yml")).toBe(true);
  expect(checks("x.lab.yaml", "topology: pair.clab.yml\nexpect: [{reach: pc1 -> r1, not: true}]")).toBe(true);
  expect(checks("x.lab.yaml", "topology: pair.clab.yml\nneighbours: false")).toBe(false);
});

test("the key for a check that no topology has is refused with its place", () => {
  expect(() => checks("x.lab.yaml", "neighbours: true\nnodes: {pc1: pc}")).toThrow(
    /x\.lab\.yaml:1:1: neighbours is for the routers of a `topology`/,
  );
});

test("neighbours are not checked in a lab file of its own nodes, or in a topology without two routers", () => {
  const node = '{type: linux, image: frr, files: {/etc/frr/frr.conf: "router ospf"}}';
  expect(checks("x.lab.yaml", `nodes: {r1: ${node}, r2: ${node}}`)).toBe(false);
  expect(
    checks(
      "pair.clab.yml",
      TOPOLOGY.replaceAll("image: frr", "image: alpine").replaceAll("/etc/frr", "/etc/x"),
    ),
  ).toBe(false);
});
