import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
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
