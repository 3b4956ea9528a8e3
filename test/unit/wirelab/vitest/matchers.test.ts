import { readFileSync, rmSync } from "node:fs";
import { readCapture } from "@wirelab/engine/pcap/index";
import { describe } from "vitest";
import { expect, type LabSpec, test } from "../../../../packages/wirelab/vitest/index.ts";

const ROUTED: LabSpec = {
  nodes: {
    pc1: { ip: "10.0.1.1/24", gateway: "10.0.1.254" },
    pc2: "dhcp",
    sw1: "switch",
    r1: {
      type: "router",
      ports: ["10.0.1.254/24", { ipv4: "10.0.2.254/24", dhcp: { first: "10.0.2.7", last: "10.0.2.9" } }],
    },
  },
  links: ["pc1 -- sw1", "sw1 -- r1:0", { link: "r1:1 -- pc2", name: "wan", filters: { delay: 30 } }],
};

test("every matcher holds in a lab where it is true", ({ lab }) => {
  const net = lab(ROUTED).run({ at: "1s", name: "pings", console: { pc1: "ping 10.0.2.7 -c 2" } });
  expect(net).toReach("pc1 -> pc2");
  expect(net).toPing("pc1 -> pc2", { count: 3, p50: "60..62ms" });
  expect(net).toTakePath("pc1 -> pc2", { via: ["r1"] });
  expect(net).toCarry("icmp", { link: "wan", after: "pings", within: "3s" });
  expect(net).toCarry("icmp[0] = 8", { link: "wan", is: 2 });
  expect(net).toHaveNeighbour("pc1", "r1");
  expect(net).toHaveLearned("sw1", "pc1", { port: 0 });
  expect(net).toHaveRoute("r1", "10.0.2.0/24", { via: "connected" });
  expect(net).toHaveLease("pc2", { address: "10.0.2.7" });
  expect(net).toPrint("pc1", "84 bytes");
  expect(net).toPrint("pc1", /icmp_seq=2 ttl=\d+/);
});

test("every matcher can be negated", ({ lab }) => {
  const net = lab({ ...ROUTED, links: ["pc1 -- sw1"] });
  expect(net).not.toReach("pc1 -> r1");
  expect(net).not.toPing("pc1 -> r1", { count: 1 });
  expect(net).not.toTakePath("pc1 -> r1", { hops: 1 });
  expect(net).not.toCarry("icmp");
  expect(net).not.toHaveNeighbour("pc1", "r1");
  expect(net).not.toHaveLearned("sw1", "r1");
  expect(net).not.toHaveRoute("r1", "10.9.0.0/16");
  expect(net).not.toHaveLease("pc2");
  expect(net).not.toPrint("pc1", "84 bytes");
  expect(net).not.toLoop();
});

test("a lab file is relative to the test, and its own expectations hold", ({ lab }) => {
  const file = lab("../../../../examples/labs/arp-spoofing.lab.yaml");
  expect(file).toHold();
  expect(file).toReach("pc1 -> pc2", { at: "5s" });
  expect(lab("../../../../examples/labs/containerlab/two-sites.lab.yaml")).toHold();
});

describe("a failure", () => {
  function messageOf(check: () => void): string {
    try {
      check();
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  }

  test("shows expected, got and why, and leaves a capture", ({ lab }) => {
    const net = lab({
      ...ROUTED,
      run: [
        { at: 1, console: { pc1: "ping 10.0.1.254 -c 1" } },
        { at: 5, down: "wan" },
      ],
    });
    const message = messageOf(() => expect(net).toReach("pc1 -> pc2", { tries: 1 }));
    expect(message).toContain("reach: pc1 -> pc2");
    expect(message).toContain("expected: a reply in 1 try");
    expect(message).toContain("ended at r1: neighbour did not answer");
    const path = /capture: (.*\.pcapng)/.exec(message)![1]!;
    const bytes = readFileSync(path);
    rmSync(path);
    const capture = readCapture(bytes);
    expect(capture.ok && capture.interfaces).toHaveLength(3);
    expect(bytes.toString("latin1")).toContain("sw1-r1");
    expect(capture.ok && capture.frames.length).toBeGreaterThan(3);
  });

  test("of a negated matcher says so", ({ lab }) => {
    const message = messageOf(() => expect(lab(ROUTED)).not.toReach("pc1 -> pc2"));
    expect(message).toContain("expected: not: a reply");
  });

  test("of the file's expectations names each that fails", ({ lab }) => {
    const net = lab({ ...ROUTED, expect: [{ reach: "pc1 -> pc2" }, { lease: "pc1" }] });
    expect(messageOf(() => expect(net).toHold())).toMatch(/^lease: pc1/);
    expect(net).not.toHold();
  });

  test("of a run that reaches a limit is one, negated or not", ({ lab }) => {
    const net = lab({ ...ROUTED, limits: { events: 3 } });
    expect(messageOf(() => expect(net).toHaveLease("pc2"))).toContain("(undecided)");
    expect(messageOf(() => expect(net).not.toHaveLease("pc2"))).toContain("(undecided)");
  });

  test("of a value that is no lab is reported", () => {
    expect(() => expect(3).toReach("a -> b")).toThrow("expect() needs a lab here");
  });

  test("of a misspelt name is that of the lab file", ({ lab }) => {
    expect(() => expect(lab(ROUTED)).toReach("pc1 -> pc3")).toThrow('Did you mean "pc1"?');
  });
});

test("the same lab with another seed loses other packets", ({ lab }) => {
  const lossy = (seed: number) =>
    lab({
      seed,
      nodes: { a: "10.0.0.1/24", b: "10.0.0.2/24" },
      links: [{ link: "a -- b", filters: { packet_loss: 30 } }],
      run: [{ at: 1, console: { a: "ping 10.0.0.2 -c 20" } }],
    }).report();
  expect(lossy(1).digest).toBe(lossy(1).digest);
  expect(lossy(1).digest).not.toBe(lossy(2).digest);
});

test("a lab may have Linux nodes, and names an image that is missing", ({ lab }) => {
  const net = lab({
    nodes: { r1: { type: "linux", image: "none" }, pc1: "10.0.0.1/24" },
    links: ["r1 -- pc1"],
  });
  expect(() => expect(net).toReach("pc1 -> r1")).toThrow("there is no image none; build it with");
});
