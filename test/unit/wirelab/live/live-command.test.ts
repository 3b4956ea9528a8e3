/** `wirelab live` and `wirelab link --live`, with a socket of the test as the outside. */
import { createSocket } from "node:dgram";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder, runCli } from "../run-cli.ts";

const folder = makeFolder();
const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

/** Two ports that nothing uses; the second belongs to the returned socket. */
async function openOutside() {
  const [free, socket] = [createSocket("udp4"), createSocket("udp4")];
  for (const each of [free, socket]) await new Promise<void>((resolve) => each.bind(0, "127.0.0.1", resolve));
  const [listen, to] = [free.address().port, socket.address().port];
  await new Promise<void>((resolve) => free.close(() => resolve()));
  return { listen: `127.0.0.1:${listen}`, to: `127.0.0.1:${to}`, socket };
}

describe("wirelab live", () => {
  test("sends a PC's frames to a cloud's network, types into the PC, and reports the links", async () => {
    const { listen, to, socket } = await openOutside();
    const frames: Buffer[] = [];
    socket.on("message", (frame) => frames.push(frame));
    const lab = write(
      "lan.lab.yaml",
      `nodes: {pc: 10.0.0.1/24, lan: {type: cloud, udp: {listen: "${listen}", to: "${to}"}}}\nlinks: [pc -- lan]\n`,
    );
    const stdin = Buffer.from("pc show ip\nlan2 x\n\n");
    const { code, stdout, stderr } = await runCli(
      ["live", "--seconds", "0.5", "--json", "--first", "9", lab],
      {
        stdin,
      },
    );
    socket.close();
    expect([code, stderr]).toEqual([0, ""]);
    const text = stdout.toString();
    expect(text).toContain(`lan: UDP, listens at 127.0.0.1 port ${listen.split(":")[1]}`);
    expect(frames.map((frame) => frame.toString("hex", 6, 12))).toContain("005079666809");
    expect(text).toContain("no node is named lan2; the nodes are pc, lan");
    const { links } = JSON.parse(text.slice(text.lastIndexOf('{\n  "seed"')));
    expect(links[0]).toMatchObject({ from: "pc", to: "lan", delivered: frames.length });
    expect(frames.length).toBeGreaterThan(0);
  });

  test("numbers a NAT node from --first, as it numbers PCs", async () => {
    const { listen, to, socket } = await openOutside();
    const frames: Buffer[] = [];
    socket.on("message", (frame) => frames.push(frame));
    const nodes = `{pc: dhcp, way: nat, sw: switch, lan: {type: cloud, udp: {listen: "${listen}", to: "${to}"}}}`;
    const lab = write("nat.lab.yaml", `nodes: ${nodes}\nlinks: [pc -- sw, way -- sw, lan -- sw]\n`);
    const { code, stderr } = await runCli(["live", "--seconds", "2", "--first", "9", lab]);
    socket.close();
    expect([code, stderr]).toEqual([0, ""]);
    const sources = new Set(frames.map((frame) => frame.toString("hex", 6, 12)));
    expect([...sources].toSorted()).toEqual(["005079666809", "02574e00000a"]);
  });

  test.each([
    [
      "a cloud without a network",
      "nodes: {a: {type: cloud}, b: pc}\nlinks: [a -- b]",
      [],
      1,
      "the cloud a needs udp, vxlan, tap or interface",
    ],
    ["a bad number", "nodes: {a: pc}", ["--first", "x"], 2, '--first is "x"'],
    ["a bad duration", "nodes: {a: pc}", ["--seconds", "0"], 2, '--seconds is "0"'],
    [
      "an address that this machine has not",
      'nodes: {a: {type: cloud, udp: {listen: "192.0.2.1:1", to: "192.0.2.2:1"}}}',
      [],
      1,
      "cannot listen at 192.0.2.1 port 1",
    ],
  ] as const)("reports %s", async (_name, text, options, code, message) => {
    const run = await runCli(["live", ...options, write("bad.lab.yaml", text)]);
    expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(message)]);
  });
});

describe("wirelab link --live", () => {
  test("carries a frame from one network to the other", async () => {
    const [a, b] = [await openOutside(), await openOutside()];
    const arrived = new Promise<Buffer>((resolve) => b.socket.once("message", resolve));
    const running = runCli([
      ...["link", "--live", "--seconds", "0.7", "--filter", "delay=5", "--filter", "bpf=arp"],
      ...[`udp:${a.listen},${a.to}`, `udp:${b.listen},${b.to}`],
    ]);
    const frame = Buffer.alloc(60, 3);
    const [host, port] = a.listen.split(":");
    const sending = setInterval(() => a.socket.send(frame, Number(port), host), 50);
    expect(await arrived).toEqual(frame);
    clearInterval(sending);
    const { code, stdout } = await running;
    for (const { socket } of [a, b]) socket.close();
    expect(code).toBe(0);
    expect(stdout.toString()).toMatch(/link +a +b +\d+ +\d+/);
  });

  test.each([
    [["--live", "udp:x", "tap:t"], "udp:x: expected udp:LISTEN,TO"],
    [["--seconds", "1", "in", "out"], "--seconds takes --live"],
  ])("reports %j", async (args, message) => {
    const { code, stderr } = await runCli(["link", ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
