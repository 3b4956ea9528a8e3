import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseLabText } from "../../../packages/wirelab/load-lab-file.ts";

const folder = mkdtempSync(join(tmpdir(), "wirelab-guest-files-"));
mkdirSync(join(folder, "conf/sub"), { recursive: true });
writeFileSync(join(folder, "conf/frr.conf"), "interface eth1\n ip address 10.0.0.1/24\n");
writeFileSync(join(folder, "conf/sub/run.sh"), "#!/bin/sh\n");
chmodSync(join(folder, "conf/sub/run.sh"), 0o755);
writeFileSync(join(folder, "conf/picture"), Uint8Array.of(0, 255));

const guests = {
  problemOf: () => undefined,
  makeDevice: () => {
    throw new Error("no guest runs");
  },
};
const nodeOf = (text: string) =>
  parseLabText(`nodes: {r1: ${text}}`, join(folder, "x.lab.yaml"), guests).nodes[0]!;

test("a folder is taken with its files, their bytes and their executable bits", () => {
  const { spec, addresses } = nodeOf("{type: linux, files: {/etc/frr: {from: conf}}}");
  expect(spec).toMatchObject({
    files: {
      "/etc/frr/frr.conf": "interface eth1\n ip address 10.0.0.1/24\n",
      "/etc/frr/sub/run.sh": "#!/bin/sh\n",
    },
    binaries: { "/etc/frr/picture": "AP8=" },
    executables: ["/etc/frr/sub/run.sh"],
  });
  expect(addresses).toEqual(["10.0.0.1"]);
});

test("a missing file is refused with the way out", () => {
  expect(() => nodeOf("{type: linux, files: {/x: {from: none}}}")).toThrow(
    /cannot be read: there is no .*none: create it, or delete the line that names it\./,
  );
});

test("interfaces name the ports, also in links", () => {
  const { ports, spec } = nodeOf("{type: linux, ports: 2, interfaces: [eth0, net1], addresses: 10.0.0.9/24}");
  expect(ports).toEqual(["eth0", "net1"]);
  expect(spec).toMatchObject({ interfaces: ["eth0", "net1"] });
  expect(() => nodeOf("{type: linux, interfaces: [a-name-that-is-too-long]}")).toThrow(/up to 15 characters/);
  expect(() => nodeOf("{type: linux, ports: 2, interfaces: [a]}")).toThrow(
    /must name the 2 ports, got 1 names/,
  );
});

test("programs of a node have a place, their own or that in the file", () => {
  const { spec } = nodeOf(
    "{type: linux, main: {run: [sh, /x]}, exec: [{run: [ls]}, {run: [ls], place: there}]}",
  );
  expect(spec).toMatchObject({
    main: { run: ["sh", "/x"], place: "nodes.r1.main" },
    steps: [
      { run: ["ls"], place: "nodes.r1.exec[0]" },
      { run: ["ls"], place: "there" },
    ],
  });
});
