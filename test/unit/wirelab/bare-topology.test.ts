import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { labOf } from "../../../packages/wirelab/bare-topology.ts";
import { runCli } from "./run-cli.ts";

const TOPOLOGY = (gateway: string) => `
name: pair
topology:
  nodes:
    pc1: {kind: linux, exec: [ip addr add 10.0.0.1/24 dev eth1, ip route add default via ${gateway}]}
    gw: {kind: linux, exec: [ip addr add 10.0.0.254/24 dev eth1, ip addr add 10.1.0.254/24 dev eth2]}
    pc2: {kind: linux, exec: [ip addr add 10.1.0.1/24 dev eth1, ip route add default via 10.1.0.254]}
  links:
    - endpoints: [pc1:eth1, gw:eth1]
    - endpoints: [gw:eth2, pc2:eth1]
`;

async function testTopology(text: string) {
  const file = join(mkdtempSync(join(tmpdir(), "wirelab-bare-")), "pair.clab.yml");
  writeFileSync(file, text);
  return runCli(["test", file]);
}

test("a topology of containerlab is a lab whose PCs reach each other", async () => {
  const { code, stdout } = await testTopology(TOPOLOGY("10.0.0.254"));
  expect(stdout.toString()).toContain("1 lab: 1 passed");
  expect(code).toBe(0);
});

test("a topology whose PCs do not reach each other fails", async () => {
  const { code, stdout } = await testTopology(TOPOLOGY("10.0.0.9"));
  expect(stdout.toString()).toContain("pc1 -> pc2");
  expect(code).toBe(1);
});

test("a template of containerlab is executed with the variables beside it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-bare-"));
  const text = TOPOLOGY("{{ .gateway }}").replaceAll("pc1", "pc{{ add 0 1 }}");
  for (const name of ["pair.clab.gotmpl", "pair.clab.yml"]) writeFileSync(join(folder, name), text);
  const missing = await runCli(["test", join(folder, "pair.clab.yml")]);
  expect(missing.stdout.toString()).toMatch(/pair\.clab\.yml:5:\d+: the template has no value/);
  expect(missing.stdout.toString()).toContain("pair.clab_vars.yaml");
  expect(missing.code).toBe(2);
  writeFileSync(join(folder, "pair.clab_vars.yaml"), "gateway: 10.0.0.254");
  for (const name of ["pair.clab.gotmpl", "pair.clab.yml"]) {
    const { code, stdout } = await runCli(["test", join(folder, name)]);
    expect(stdout.toString()).toContain("1 lab: 1 passed");
    expect(code).toBe(0);
  }
});

test("labs with daemons last a minute, and a topology without two PCs expects nothing", () => {
  const nodes = { r1: { type: "linux" }, pc1: { type: "pc" } };
  expect(labOf("labs/x.clab.yml", { nodes, links: [] })).toEqual({ topology: "x.clab.yml", duration: "60s" });
});

test("a host with a specific route is a host: its topology has something to check, and its route is no default gateway", async () => {
  const text = TOPOLOGY("10.0.0.254").replace(
    "ip route add default via 10.0.0.254",
    "ip route add 10.1.0.0/24 via 10.0.0.254",
  );
  const { code, stdout } = await testTopology(text);
  expect(stdout.toString()).toContain("1 lab: 1 passed");
  expect(code).toBe(0);
  const elsewhere = await testTopology(text.replace("10.1.0.0/24 via 10.0", "10.2.0.0/24 via 10.0"));
  expect(elsewhere.stdout.toString()).toContain("pc1 -> pc2");
  expect(elsewhere.code).toBe(1);
});

const side = (node_id: string) => ({ node_id, adapter_number: 0, port_number: 0 });
const vpcs = (name: string, startup_script: string) => ({
  node_id: name,
  name,
  node_type: "vpcs",
  properties: { startup_script },
});
const project = (...nodes: object[]) =>
  zipSync({
    "project.gns3": strToU8(
      JSON.stringify({
        revision: 9,
        type: "topology",
        topology: { nodes, links: [{ nodes: [side("pc1"), side("pc2")] }] },
      }),
    ),
  });

const CML = `
lab: {title: pair, version: 0.1.0}
nodes:
  - {id: n0, label: pc1, node_definition: alpine, configuration: ip address add 10.0.0.1/24 dev eth0, interfaces: [{id: i0, label: eth0, slot: 0, type: physical}]}
  - {id: n1, label: pc2, node_definition: alpine, configuration: ip address add 10.0.0.2/24 dev eth0, interfaces: [{id: i0, label: eth0, slot: 0, type: physical}]}
links:
  - {id: l0, n1: n0, n2: n1, i1: i0, i2: i0}
`;

const CLAB = `
topology:
  nodes:
    pc1: {kind: linux, exec: [ip addr add 10.0.0.1/24 dev eth1]}
    pc2: {kind: linux, exec: [ip addr add 10.0.0.2/24 dev eth1]}
  links: [{endpoints: [pc1:eth1, pc2:eth1]}]
`;

describe.each([
  [
    "a GNS3 project",
    "pair.gns3project",
    project(vpcs("pc1", "ip 10.0.0.1/24"), vpcs("pc2", "ip 10.0.0.2/24")),
  ],
  ["a lab of CML", "pair.yaml", strToU8(CML)],
  ["a topology of containerlab", "pair.clab.yaml", strToU8(CLAB)],
])("%s", (_what, name, bytes) => {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-bare-"));
  const file = join(folder, name);
  writeFileSync(file, bytes);

  test.each([
    ["test", [file], "1 lab: 1 passed"],
    ["trace", [file, "--from", "pc1", "--to", "pc2"], "pc2"],
    ["draw", [file], "pc1"],
    ["diff", [file, file], "no difference"],
    ["run", [file, "--capture", join(folder, "x.pcapng")], "pc1"],
  ])("is a lab for %s", async (command, args, shown) => {
    const { code, stdout } = await runCli([command, ...args]);
    expect(stdout.toString()).toContain(shown);
    expect(code).toBe(0);
  });

  test("is refused for a service by its name", async () => {
    const { code, stderr } = await runCli(["test", file, "--url", "http://127.0.0.1:9/v2"]);
    expect(stderr.toString()).toContain("is of another tool");
    expect(code).toBe(2);
  });
});

test("nodes of a GNS3 project that cannot run are named with the file, with the exit status of a bad file", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "wirelab-bare-")), "x.gns3project");
  const qemu = { node_id: "q", name: "Firewall", node_type: "qemu", properties: {} };
  writeFileSync(file, project(vpcs("pc1", ""), vpcs("pc2", ""), qemu));
  const { code, stdout } = await runCli(["test", file]);
  expect(stdout.toString()).toMatch(/x\.gns3project: node Firewall cannot be run here/);
  expect(stdout.toString()).not.toMatch(/x\.gns3project: \S*x\.gns3project/);
  expect(code).toBe(2);
  writeFileSync(file, "no archive");
  expect((await runCli(["draw", file])).code).toBe(2);
});
