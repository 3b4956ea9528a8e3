/** What a router with RIP makes of messages: requests of programs, and messages with errors. */

import { formatIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { ipv4MulticastMac } from "@wirelab/engine/wire/mac";
import { decodeUdp, encodeUdp4 } from "@wirelab/engine/wire/udp";
import { describe, expect, it } from "vitest";
import {
  decodeRip,
  encodeRip,
  RIP_GROUP,
  RIP_REQUEST,
  RIP_RESPONSE,
  type RipEntry,
} from "../../../../../../packages/engine/wire/rip.ts";
import { type Bed, ip, MAC_A, makeBed, ROUTER_MAC, say } from "../probe.ts";

const PORTS = [{ ipv4: "10.0.1.1/24" }, { ipv4: "10.0.2.1/24" }];
const makeRipBed = (rip: object = { networks: ["10.0.0.0/8"] }): Bed => makeBed({ ports: PORTS, rip });

const entry = (changes: Partial<RipEntry> = {}): RipEntry => ({
  family: 2,
  tag: 0,
  network: ip("10.7.0.0"),
  mask: ip("255.255.0.0"),
  nextHop: 0,
  metric: 1,
  ...changes,
});

interface Options {
  readonly source?: string;
  readonly sourcePort?: number;
  readonly target?: number;
  readonly command?: number;
  readonly version?: number;
}

/** A sends a message to the router. */
function send(bed: Bed, data: Uint8Array | readonly RipEntry[], options: Options = {}): void {
  const { sourcePort = 520, target = RIP_GROUP, command = RIP_RESPONSE, version = 2 } = options;
  const source = ip(options.source ?? "10.0.1.10");
  const message = data instanceof Uint8Array ? data : encodeRip({ command, version, entries: data });
  const udp = encodeUdp4(source, target, { sourcePort, targetPort: 520, data: message });
  bed.a.send4(
    target === RIP_GROUP ? ipv4MulticastMac(target) : ROUTER_MAC,
    { source, target, protocol: 17 },
    udp,
  );
  bed.bench.run();
}

const learned = (bed: Bed): string[] => say(bed, "show route").filter((line) => line.startsWith("R"));
const status = (bed: Bed): string =>
  say(bed, "show ip rip status").find((line) => /10\.0\.1\.\d+ /.test(line)) ?? "";

/** What A received in answer to the last message. */
function answers(bed: Bed, ask: () => void): { port: number; target: string; entries: string[] }[] {
  const before = bed.a.received.length;
  ask();
  return bed.a.packets4
    .slice(-Math.max(0, bed.a.received.length - before) || bed.a.received.length)
    .flatMap(({ header, payload }) => {
      const udp = decodeUdp(payload);
      const rip = udp?.sourcePort === 520 ? decodeRip(udp.data) : null;
      if (!rip || rip.command !== RIP_RESPONSE || header.target === RIP_GROUP) return [];
      const entries = rip.entries.map(({ network, metric }) => `${formatIpv4(network)} ${metric}`);
      return [{ port: udp!.targetPort, target: formatIpv4(header.target), entries }];
    });
}

describe("a router with RIP", () => {
  it("sends to the group's MAC, from port 520 to port 520, with a time to live of 1", () => {
    const bed = makeRipBed();
    bed.bench.run();
    const [request] = bed.a.packets4;
    const udp = decodeUdp(request!.payload)!;
    expect([...request!.frame.subarray(0, 6)]).toEqual([1, 0, 0x5e, 0, 0, 9]);
    expect([request!.header.ttl, udp.sourcePort, udp.targetPort]).toEqual([1, 520, 520]);
    expect([...udp.data]).toEqual([1, 2, 0, 0, ...new Array<number>(19).fill(0), 16]);
  });

  it("learns a route, with 1 added to its metric", () => {
    const bed = makeRipBed();
    send(bed, [entry({ metric: 3, tag: 9 })]);
    expect(learned(bed)).toEqual([
      expect.stringMatching(/^R +\[120\/4\] +10\.7\.0\.0\/16 +10\.0\.1\.10 +Ethernet0$/),
    ]);
  });

  it.each([
    ["on the subnet is used", "10.0.1.77", /10\.0\.1\.77/],
    ["elsewhere is replaced by the sender", "10.0.2.77", /10\.0\.1\.10/],
    ["that is the subnet's broadcast address is replaced", "10.0.1.255", /10\.0\.1\.10/],
    ["that is the subnet itself is replaced", "10.0.1.0", /10\.0\.1\.10/],
  ])("a next hop %s", (_, nextHop, wanted) => {
    const bed = makeRipBed();
    send(bed, [entry({ nextHop: ip(nextHop) })]);
    expect(learned(bed)).toEqual([expect.stringMatching(wanted)]);
  });

  it.each<[string, Partial<RipEntry>]>([
    ["leads back through this router", { nextHop: ip("10.0.1.1") }],
    ["has a metric of 0", { metric: 0 }],
    ["has a metric over 16", { metric: 17 }],
    ["has a metric of 16", { metric: 16 }],
    ["has 15, which is unreachable here", { metric: 15 }],
    ["has a mask with holes", { mask: ip("255.0.255.0") }],
    ["has bits after its prefix", { network: ip("10.7.1.0") }],
    ["is of another family", { family: 10 }],
    ["is a multicast network", { network: ip("224.0.0.0") }],
    ["is the loopback network", { network: ip("127.0.0.0") }],
    ["is in 0.0.0.0/8", { network: 0, mask: ip("255.0.0.0") }],
    ["is the router's own subnet", { network: ip("10.0.2.0"), mask: ip("255.255.255.0") }],
  ])("learns no route that %s, and takes the others of the message", (_, changes) => {
    const bed = makeRipBed();
    send(bed, [entry(changes), entry({ network: ip("10.8.0.0") })]);
    expect(learned(bed)).toEqual([expect.stringContaining("10.8.0.0/16")]);
  });

  it("counts bad routes and bad packets of each neighbour", () => {
    const bed = makeRipBed();
    send(bed, [entry({ metric: 0 }), entry()]);
    send(bed, Uint8Array.of(2, 2, 0));
    expect(status(bed)).toMatch(/10\.0\.1\.10 +1 +1 +00:00:00/);
  });

  it.each<[string, Uint8Array | readonly RipEntry[], Options]>([
    ["is shorter than a header", Uint8Array.of(2, 2, 0), {}],
    ["ends within an entry", new Uint8Array(23), {}],
    ["has more than 25 entries", new Array<RipEntry>(26).fill(entry()), {}],
    ["is of version 1", [entry()], { version: 1 }],
    ["has an unknown command", [entry()], { command: 9 }],
    ["is a response from another UDP port", [entry()], { sourcePort: 521 }],
    ["is of a router outside of the subnet", [entry()], { source: "10.0.3.10" }],
    ["is authenticated", [entry({ family: 0xffff }), entry()], {}],
  ])("ignores a message that %s, and counts it as malformed", (_, data, options) => {
    const bed = makeRipBed();
    send(bed, data, options);
    expect(learned(bed)).toEqual([]);
    expect(bed.router.saveState().counters.drops.malformed).toBe(1);
  });

  it("takes a response that was sent to its own address", () => {
    const bed = makeRipBed();
    send(bed, [entry()], { target: ip("10.0.1.1") });
    expect(learned(bed)).toHaveLength(1);
  });

  it("replaces a neighbour's route by a shorter one of another, not by one that is as long", () => {
    const bed = makeRipBed();
    send(bed, [entry({ metric: 3 })]);
    send(bed, [entry({ metric: 3 })], { source: "10.0.1.20" });
    expect(learned(bed)).toEqual([expect.stringMatching(/10\.0\.1\.10 /)]);
    send(bed, [entry({ metric: 2 })], { source: "10.0.1.20" });
    expect(learned(bed)).toEqual([expect.stringMatching(/120\/3.*10\.0\.1\.20 /)]);
    send(bed, [entry({ metric: 5 })], { source: "10.0.1.20" });
    expect(learned(bed)).toEqual([expect.stringMatching(/120\/6.*10\.0\.1\.20 /)]);
  });

  it("replaces it by one that is as long when it was not confirmed for half of its timeout", () => {
    const bed = makeRipBed();
    send(bed, [entry()]);
    bed.bench.run(91e6);
    send(bed, [entry()], { source: "10.0.1.20" });
    expect(learned(bed)).toEqual([expect.stringMatching(/10\.0\.1\.20 /)]);
  });

  it("keeps a route for 180 s from its last update", () => {
    const bed = makeRipBed();
    send(bed, [entry()]);
    bed.bench.run(100e6);
    send(bed, [entry()]);
    bed.bench.run(279.9e6);
    expect(learned(bed)).toHaveLength(1);
    bed.bench.run(280.1e6);
    expect(learned(bed)).toEqual([]);
  });

  it("withdraws a route at once when its router says so, and takes another's", () => {
    const bed = makeRipBed();
    send(bed, [entry()]);
    send(bed, [entry({ metric: 16 })], { source: "10.0.1.20" });
    expect(learned(bed)).toHaveLength(1);
    send(bed, [entry({ metric: 16 })]);
    expect(learned(bed)).toEqual([]);
    send(bed, [entry({ metric: 9 })], { source: "10.0.1.20" });
    expect(learned(bed)).toEqual([expect.stringMatching(/120\/10.*10\.0\.1\.20 /)]);
  });

  it("learns 1,024 routes at most", () => {
    const bed = makeRipBed();
    for (let block = 0; block < 60; block++)
      send(
        bed,
        Array.from({ length: 20 }, (_, index) =>
          entry({ network: ip(`10.${100 + block}.${index}.0`), mask: ip("255.255.255.0") }),
        ),
      );
    expect(bed.router.saveState().services!.rip!.routes).toHaveLength(1_024);
  });
});

describe("requests", () => {
  const WHOLE = [entry({ family: 0, network: 0, mask: 0, metric: 16 })];

  it("for the whole table are answered to the port that they come from, with split horizon", () => {
    const bed = makeRipBed();
    send(bed, [entry()]);
    const got = answers(bed, () => send(bed, WHOLE, { command: RIP_REQUEST, sourcePort: 4_000 }));
    expect(got).toEqual([{ port: 4_000, target: "10.0.1.10", entries: ["10.0.2.0 1", "10.7.0.0 16"] }]);
  });

  it("for some networks are answered without split horizon, with 16 for unknown ones", () => {
    const bed = makeRipBed();
    send(bed, [entry()]);
    const wanted = [entry({ metric: 0 }), entry({ network: ip("10.66.0.0"), metric: 0 })];
    const got = answers(bed, () => send(bed, wanted, { command: RIP_REQUEST }));
    expect(got).toEqual([{ port: 520, target: "10.0.1.10", entries: ["10.7.0.0 2", "10.66.0.0 16"] }]);
  });

  it("for a network whose mask has holes are answered with 16", () => {
    const bed = makeRipBed();
    const wanted = [entry({ mask: ip("255.0.255.0") }), entry()];
    const got = answers(bed, () => send(bed, wanted, { command: RIP_REQUEST }));
    expect(got[0]?.entries).toEqual(["10.7.0.0 16", "10.7.0.0 16"]);
  });

  it("without entries are not answered", () => {
    const bed = makeRipBed();
    expect(answers(bed, () => send(bed, [], { command: RIP_REQUEST }))).toEqual([]);
  });

  it("of routers are not answered on a passive port, those of programs are", () => {
    const bed = makeRipBed({ networks: ["10.0.0.0/8"], passive: ["Ethernet0"] });
    expect(answers(bed, () => send(bed, WHOLE, { command: RIP_REQUEST }))).toEqual([]);
    expect(answers(bed, () => send(bed, WHOLE, { command: RIP_REQUEST, sourcePort: 4_000 }))).toHaveLength(1);
  });

  it("on a port without RIP are ignored if they are for the group, and unreachable if they are for the router", () => {
    const bed = makeRipBed({ networks: ["Ethernet1"] });
    expect(answers(bed, () => send(bed, WHOLE, { command: RIP_REQUEST }))).toEqual([]);
    expect(bed.a.packets4).toEqual([]);
    send(bed, WHOLE, { command: RIP_REQUEST, target: ip("10.0.1.1") });
    const [unreachable] = bed.a.packets4;
    expect([unreachable!.header.protocol, ...unreachable!.payload.subarray(0, 2)]).toEqual([1, 3, 3]);
  });
});

it("a router without RIP ignores messages for its group", () => {
  const bed = makeBed({ ports: PORTS });
  send(bed, [entry()]);
  expect(bed.a.received).toEqual([]);
  expect(bed.router.saveState().counters.drops.notForwarded).toBe(1);
  expect(MAC_A).toBe(bed.a.mac);
});
