/** What `netlab create` writes is a lab, word for word: `pip install networklab` has the program. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sourceOf } from "@wirelab/lab/adjacency/sources";
import { describe, expect, test } from "vitest";
import { parseLabText } from "../../packages/wirelab/load-lab-file.ts";
import { guestsWithAnswers } from "../helpers/engine/script-node.ts";

const hasNetlab = spawnSync("netlab", ["version"]).status === 0;

const HOSTS = `
  h1: {device: linux, module: []}
  h2: {device: linux, module: []}
`;

const TOPOLOGIES = {
  "OSPF in FRR": `
module: [ospf]
nodes:
  r1:
  r2:
  r3: ${HOSTS}
links: [r1-r2, r2-r3, r1-r3, r1-h1, r3-h2]
`,
  "BGP and OSPF in FRR": `
module: [bgp, ospf]
bgp.as: 65000
nodes:
  r1:
  r2:
  x1: {bgp.as: 65100, module: [bgp]} ${HOSTS}
links: [r1-r2, r2-x1, r1-h1, x1-h2]
`,
  "VLANs in FRR": `
vlans:
  red: {mode: bridge}
  blue: {mode: irb}
nodes:
  r1: {module: [vlan]}
  r2: {module: [vlan]} ${HOSTS}
links:
- {h1: , r1: {vlan.access: red}}
- {h2: , r2: {vlan.access: red}}
- {r1: , r2: , vlan.trunk: [red, blue]}
`,
  "BGP and OSPF in BIRD": `
module: [bgp, ospf]
bgp.as: 65000
nodes:
  b1: {device: bird}
  r1:
  r2: ${HOSTS}
links: [b1-r1, b1-r2, r1-r2, r1-h1, r2-h2]
`,
};

describe.skipIf(!hasNetlab)("netlab create && wirelab test clab.yml (skipped without netlab)", () => {
  test.each(Object.entries(TOPOLOGIES))("%s is read whole", (_what, text) => {
    const folder = mkdtempSync(join(tmpdir(), "wirelab-netlab-"));
    writeFileSync(join(folder, "topology.yml"), `provider: clab\ndefaults.device: frr\n${text}`);
    execFileSync("netlab", ["create"], { cwd: folder });
    const path = join(folder, "clab.yml");
    const { nodes, expectations, warnings, checksNeighbours } = parseLabText(
      readFileSync(path, "utf8"),
      path,
      guestsWithAnswers(() => "{}"),
    );
    expect(warnings).toEqual([]);
    expect(nodes.every(({ spec }) => spec.type === "linux")).toBe(true);
    expect(expectations).toHaveLength(1);
    expect(checksNeighbours).toBe(true);
    for (const node of nodes.filter(({ name }) => !name.startsWith("h"))) {
      const source = sourceOf(node);
      expect(source?.daemon).toBe(node.name.startsWith("b") ? "bird" : "frr");
      // Only FRR's configuration, which a script makes, has to be asked for.
      expect(source?.config?.unread ?? []).toEqual([]);
    }
  });
});
