import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder, runCli } from "./run-cli.ts";

const folder = makeFolder();

const LAB = `
name: two <subnets> & a router
nodes:
  pc1: {ip: 10.0.1.1/24, gateway: 10.0.1.254}
  pc2: {ip: 10.0.2.1/24, gateway: 10.0.2.254}
  s1: {type: switch, vlans: {0: 10, 1: trunk}}
  s2: {type: switch, vlans: {0: trunk, 1: 10}}
  r1: {type: router, ports: [10.0.1.254/24, 10.0.9.1/30, 10.0.8.1/30], routes: {10.0.2.0/24: 10.0.9.2}}
  r2: {type: router, ports: [10.0.9.2/30, 10.0.2.254/24, 10.0.8.2/30], routes: {10.0.1.0/24: 10.0.9.1}}
links:
  - pc1 -- s1:0
  - s1:1 -- s2:0
  - s2:1 -- r1:0
  - {link: r1:1 -- r2:0, filters: {delay: 30}}
  - {link: r1:2 -- r2:2, down: true}
  - r2:1 -- pc2
run:
  - {at: 1s, console: {pc1: ping 10.0.2.1 -c 1}}
`;

function put(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}
const lab = put("a.lab.yaml", LAB);

const textOf = (output: Uint8Array | string): string =>
  typeof output === "string" ? output : new TextDecoder().decode(output);

async function wirelab(...args: string[]) {
  const { code, stdout, stderr } = await runCli(args);
  return { code, stdout: textOf(stdout), stderr: textOf(stderr) };
}

/** The columns of a trace without the times. */
const steps = (stdout: string): string[] =>
  stdout
    .split("\n")
    .filter((line) => /^ +[0-9.]+s/.test(line))
    .map((line) => line.replace(/^ +[0-9.]+s +/, "").replaceAll(/ {2,}/g, " "));

describe("wirelab trace", () => {
  test("prints what each node and link did to the packet, and to the answer", async () => {
    const { code, stdout } = await wirelab("trace", lab, "--from", "pc1", "--to", "pc2");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^10\.0\.1\.1 > 10\.0\.2\.1 ICMP Echo request/);
    expect(steps(stdout).slice(0, 9)).toEqual([
      "pc1 PC sends it at Ethernet0",
      "pc1-s1 link carries it for 0.000 ms",
      "s1 switch forwards it (adds a VLAN tag) at Ethernet1",
      "s1-s2 link carries it for 0.000 ms",
      "s2 switch forwards it (removes the VLAN tag) at Ethernet1",
      "s2-r1 link carries it for 0.000 ms",
      "r1 router forwards it (TTL 64 to 63, new MACs) at Ethernet1",
      "r1-r2 link carries it for 30.000 ms",
      "r2 router forwards it (TTL 63 to 62, new MACs) at Ethernet1",
    ]);
    expect(steps(stdout).at(-1)).toBe("pc1 PC takes it");
    expect(stdout).toContain("\nanswer\n");
  });

  test("follows a packet through a translation of its addresses, and the answer back", async () => {
    const nat = new URL("../../../examples/labs/nat.lab.yaml", import.meta.url).pathname;
    const { code, stdout } = await wirelab("trace", nat, "--from", "pc2", "--to", "server");
    expect(code).toBe(0);
    expect(steps(stdout).filter((step) => step.startsWith("gw"))).toEqual([
      "gw router forwards it (TTL 64 to 63, source 10.0.1.3 to 203.0.113.1, new MACs) at Ethernet1",
      "gw router forwards it (TTL 64 to 63, target 203.0.113.1 to 10.0.1.3, new MACs) at Ethernet0",
    ]);
    expect(steps(stdout).at(-1)).toBe("pc2 PC takes it");
  });

  test("exits with 1 and names where the packet ended", async () => {
    const { code, stderr } = await wirelab("trace", lab, "--from", "pc1", "--to", "10.0.7.7");
    expect({ code, stderr }).toEqual({ code: 1, stderr: "wirelab: no answer: r1 DROPS it: no route\n" });
  });

  test("names the filter or the link that dropped it, at a time", async () => {
    const cut = put("cut.lab.yaml", LAB.replace("run:", "run:\n  - {at: 5s, down: r1-r2}"));
    const after = await wirelab("trace", cut, "--from", "pc1", "--to", "pc2", "--at", "6s");
    expect(after.stderr).toBe("wirelab: no answer: r1-r2 DROPS it: the link is down\n");
    const before = await wirelab("trace", cut, "--from", "pc1", "--to", "pc2", "--at", "4s", "--seed", "x");
    expect(before.code).toBe(0);
  });

  test("prints what the console says if nothing is sent", async () => {
    const alone = put("alone.lab.yaml", "nodes: {pc1: 10.0.0.1/24, pc2: 10.0.0.2/24}\nlinks: [pc1 -- pc2]");
    const { stderr } = await wirelab("trace", alone, "--from", "pc1", "--to", "10.9.9.9");
    expect(stderr).toBe("wirelab: nothing was sent: No gateway found\n");
  });

  test("prints JSON", async () => {
    const { stdout } = await wirelab(
      "trace",
      lab,
      "--from",
      "pc1",
      "--to",
      "r1",
      "--protocol",
      "udp",
      "--port",
      "9",
      "--json",
    );
    expect(JSON.parse(stdout)).toMatchObject({
      request: [{ where: "pc1", what: "PC" }, {}, {}, {}, {}, {}, { where: "r1" }],
    });
  });

  test.each([
    [["--from", "pc1"], "--from and --to are needed"],
    [["--from", "pc1", "--to", "pc2", "--protocol", "sctp"], "--protocol must be icmp, udp or tcp, got sctp"],
    [["--from", "pc1", "--to", "pc2", "--port", "0"], "--port must be a number from 1 to 65535, got 0"],
    [["--from", "pc1", "--to", "pc2", "--at", "noon"], "--at must be a lab time such as 1.5s, got noon"],
    [["--from", "pc1", "--to", "pc9"], '--to names no node: "pc9". Did you mean "pc1"?'],
    [
      ["--from", "s1", "--to", "pc2"],
      '--from must be a PC, a router, a server or a Linux node, which have a console; "s1" is a switch.',
    ],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await wirelab("trace", lab, ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test("reports a bad file at its line, with exit code 2, and a missing one with 1", async () => {
    const bad = await wirelab("trace", put("bad.lab.yaml", "nodes:\n  a: swich"), "--from", "a", "--to", "b");
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain('bad.lab.yaml:2:3: nodes.a must be a type or an address, got "swich".');
    const missing = await wirelab("trace", join(folder, "none.lab.yaml"), "--from", "a", "--to", "b");
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("there is no such file") });
  });
});

describe("wirelab diff", () => {
  test("prints no difference for equal labs", async () => {
    expect(await wirelab("diff", lab, lab)).toEqual({ code: 0, stdout: "no difference\n", stderr: "" });
  });

  test("prints routes, paths and packets that a change moves", async () => {
    const changed = LAB.replace("10.0.2.0/24: 10.0.9.2", "10.0.2.0/24: 10.0.8.2").replace(", down: true", "");
    const { stdout } = await wirelab("diff", lab, put("b.lab.yaml", changed));
    expect(stdout).toContain(
      "routes\n  ~ r1 10.0.2.0/24\n      - via 10.0.9.2 at Ethernet1\n      + via 10.0.8.2 at Ethernet2\n",
    );
    expect(stdout).toContain(
      "      - pc1 -> s1 -> s2 -> r1 -> r2 (r1-r2) -> pc2\n      + pc1 -> s1 -> s2 -> r1 -> r2 (r1-r2-2) -> pc2\n",
    );
    expect(stdout).toContain("links\n  ~ r1:2 -- r2:2\n      - down\n      + up\n");
    expect(stdout).toMatch(/packets\n(.*\n)* {2}~ r1 -> r2 on r1-r2-2\n {6}- 0 entered/);
    expect(stdout).not.toContain("reachability");
  });

  test("prints all gateways of a network", async () => {
    const changed = LAB.replace("10.0.2.0/24: 10.0.9.2", "10.0.2.0/24: [10.0.9.2, 10.0.8.2]");
    const { stdout } = await wirelab("diff", lab, put("d.lab.yaml", changed));
    expect(stdout).toContain(
      "      - via 10.0.9.2 at Ethernet1\n      + via 10.0.9.2 at Ethernet1, via 10.0.8.2 at Ethernet2\n",
    );
  });

  test("prints pairs that lose each other, nodes that are new, and tables, as JSON", async () => {
    const changed = LAB.replace("1: 10}}", "1: 20}}").replace("nodes:", "nodes:\n  pc3: 10.0.2.3/24");
    const { stdout } = await wirelab("diff", lab, put("c.lab.yaml", changed), "--json");
    const changes: { section: string; subject: string; before?: string; after?: string }[] =
      JSON.parse(stdout);
    expect(changes).toContainEqual({
      section: "reachability",
      subject: "pc1 -> pc2",
      before: "reaches",
      after: "does not reach",
    });
    expect(changes).toContainEqual({ section: "nodes", subject: "pc3", after: "PC" });
    expect(changes.filter(({ section }) => section === "mac tables")).not.toEqual([]);
  });
});

describe("wirelab draw", () => {
  test("writes an SVG with all nodes, ports and filters, and escapes names", async () => {
    const { stdout } = await wirelab("draw", lab);
    expect(stdout).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 [0-9]+ [0-9]+"/);
    expect(stdout).toContain("<title>two &lt;subnets&gt; &amp; a router</title>");
    for (const text of ["pc1", "pc2", "s1", "s2", "r1", "r2", "delay 30", "down", "10.0.1.254 +2", "e1"]) {
      expect(stdout).toContain(`>${text}</text>`);
    }
  });

  test("writes a file, the same each time, without overlapping nodes", async () => {
    const path = join(folder, "a.svg");
    await wirelab("draw", lab, path);
    const svg = readFileSync(path, "utf8");
    expect(textOf((await runCli(["draw", lab])).stdout)).toBe(svg);
    const boxes = [
      ...svg.matchAll(/class="box" x="([-0-9.]+)" y="([-0-9.]+)" width="(\d+)" height="(\d+)"/g),
    ].map((match) => match.slice(1).map(Number)) as [number, number, number, number][];
    expect(boxes).toHaveLength(6);
    for (const [index, [x, y, width, height]] of boxes.entries()) {
      for (const [otherX, otherY] of boxes.slice(index + 1)) {
        expect(Math.abs(x - otherX) >= width || Math.abs(y - otherY) >= height).toBe(true);
      }
    }
  });

  test("refuses a folder that is not there", async () => {
    const { code, stderr } = await wirelab("draw", lab, join(folder, "none", "a.svg"));
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("its folder does not exist"),
    });
  });
});
