/** Live labs on real wires: the kernel's own network stack on the other side, in namespaces that the test makes. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { Namespaces, obstacle, untilPrinted } from "../helpers/live/namespaces.ts";

const CLI = new URL("../../packages/wirelab/wirelab.js", import.meta.url).pathname;
const NODE = new URL("../../node_modules/.bin/node", import.meta.url).pathname;
const why = obstacle();
const folder = mkdtempSync(join(tmpdir(), "wirelab-wire-"));
afterAll(() => rmSync(folder, { recursive: true }));

const rtts = (output: string): number[] =>
  [...output.matchAll(/time=([\d.]+) ms/g)].map(([, ms]) => Number(ms));

describe.skipIf(why !== undefined)(`a live lab on real wires${why ? ` (skipped: ${why})` : ""}`, () => {
  let spaces: Namespaces;
  beforeEach(() => {
    spaces = new Namespaces("lab", "a", "b");
    spaces.join(["lab", "toa"], ["a", "u0"], 1);
    spaces.join(["lab", "tob"], ["b", "u0"], 2);
  });
  afterEach(() => spaces.end());

  /** Both kernels have an interface of one VXLAN each, and our link joins them. */
  async function linkKernels(...options: string[]): Promise<void> {
    spaces.addVxlan("a", 1, 7, "10.1.0.1/24");
    spaces.addVxlan("b", 2, 8, "10.1.0.2/24");
    const ends = ["vxlan:7,10.99.1.1,10.99.1.2", "vxlan:8,10.99.2.1,10.99.2.2"];
    const live = spaces.start("lab", NODE, CLI, "link", "--live", ...options, ...ends);
    await untilPrinted(live, "b: VXLAN 8");
  }

  test("a link delays the packets of two kernels, and loses none", async () => {
    await linkKernels("--filter", "delay=10");
    const output = spaces.run("a", "ping", "-c", "10", "-i", "0.1", "10.1.0.2");
    expect(output).toContain("10 received");
    expect(Math.min(...rtts(output))).toBeGreaterThanOrEqual(20);
  });

  test("a link carries TCP to the byte, with losses on the way", async () => {
    await linkKernels("--filter", "packet_loss=1", "--seed", "tcp");
    const server = `
      const hash = require("crypto").createHash("sha256");
      require("net").createServer((socket) => socket.on("data", (data) => hash.update(data))
        .on("end", () => socket.end(hash.digest("hex")))).listen({ port: 5000, host: "10.1.0.2", allowHalfOpen: true }, () => console.log("ready"));
    `.replace("createServer(", "createServer({ allowHalfOpen: true }, ");
    await untilPrinted(spaces.start("b", NODE, "-e", server), "ready");
    const client = `
      const socket = require("net").connect(5000, "10.1.0.2");
      socket.end(Buffer.alloc(2000000, 7)); socket.on("data", (data) => process.stdout.write(data));
    `;
    const digest = spaces.run("a", NODE, "-e", client);
    expect(digest).toBe(createHash("sha256").update(Buffer.alloc(2_000_000, 7)).digest("hex"));
  });

  test("a kernel pings a simulated PC, and the PC the kernel, on a tap interface", async () => {
    const file = join(folder, "tap.lab.yaml");
    writeFileSync(file, "nodes: {pc: 10.2.0.1/24, lan: {type: cloud, tap: wltap}}\nlinks: [pc -- lan]\n");
    const live = spaces.start("lab", NODE, CLI, "live", file);
    await untilPrinted(live, "lan: tap interface wltap");
    spaces.run("lab", "ip", "addr", "add", "10.2.0.9/24", "dev", "wltap");
    expect(spaces.run("lab", "ping", "-c", "3", "-i", "0.2", "10.2.0.1")).toContain("3 received");
    const answered = untilPrinted(live, "icmp_seq=2");
    live.stdin!.write("pc ping 10.2.0.9 -c 2\n");
    expect(await answered).toContain("84 bytes from 10.2.0.9 icmp_seq=1");
  });

  test("an interface of the machine joins a lab", async () => {
    const file = join(folder, "interface.lab.yaml");
    writeFileSync(
      file,
      "nodes: {pc: 10.99.1.77/24, lan: {type: cloud, interface: toa}}\nlinks: [pc -- lan]\n",
    );
    await untilPrinted(spaces.start("lab", NODE, CLI, "live", file), "lan: interface toa");
    expect(spaces.run("a", "ping", "-c", "3", "-i", "0.2", "10.99.1.77")).toContain("3 received");
  });

  test("an interface that is not there is named", () => {
    const file = join(folder, "none.lab.yaml");
    writeFileSync(file, "nodes: {pc: pc, lan: {type: cloud, interface: nosuch}}\nlinks: [pc -- lan]\n");
    expect(() => spaces.run("lab", NODE, CLI, "live", "--seconds", "1", file)).toThrow(
      /socat ended: .*nosuch/,
    );
  });
});
