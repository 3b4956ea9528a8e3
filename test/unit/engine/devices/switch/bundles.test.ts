/** Bundles between switches: modes, failures, wrong cables, distribution, and spanning trees over them. */

import { encodeEthernet, targetMac } from "@wirelab/engine/wire/ethernet";
import { BROADCAST_MAC } from "@wirelab/engine/wire/mac";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashOf } from "../../../../../packages/engine/net/bridge/lacp/hash.ts";
import { decodeLacp, SLOW_PROTOCOLS_MAC } from "../../../../../packages/engine/wire/lacp.ts";
import { frameTo, SwitchBench, trunk } from "../../../../helpers/engine/switch-bench.ts";
import { type End, groups, Network } from "../../../../helpers/engine/switch-network.ts";

const SECOND_US = 1_000_000;
const LONG_US = 60 * SECOND_US;
const HOST = 0x0050_7966_6800;

const used = (network: Network, name: string): number[][] =>
  network.switches
    .get(name)!
    .bundles!.map(({ members }) => members.filter(({ is_used }) => is_used).map(({ port }) => port));

/** Two switches with two cables between their ports 1 and 2; a host is at port 0 of each. */
const pair = (one: object = {}, other: object = {}, rstp: unknown = undefined): Network =>
  new Network()
    .add("sw1", rstp, [0, 1, 2], 4, { bundles: [{ ports: [1, 2], ...one }] })
    .add("sw2", rstp, [0, 1, 2], 4, { bundles: [{ ports: [1, 2], ...other }] })
    .cable(["sw1", 1], ["sw2", 1])
    .cable(["sw1", 2], ["sw2", 2])
    .start();

/** Where a frame that arrives from sw1's host is sent on, as `sw1/2`; frames of LACP are left out. */
function way(network: Network, source: number, target = BROADCAST_MAC): string[] {
  const before = network.bench.frames.length;
  network.bench.inject("sw1", 0, frameTo(target, source));
  network.run(1_000);
  return network.bench.frames
    .slice(before)
    .filter(({ frame }) => targetMac(frame) !== SLOW_PROTOCOLS_MAC)
    .map(({ from, port }) => `${from}/${port}`);
}

/** The port of sw1's bundle that carries it. */
const carrier = (network: Network, source: number, target = BROADCAST_MAC): number => {
  const ports = way(network, source, target).filter((place) => /^sw1\/[12]$/.test(place));
  expect(ports).toHaveLength(1);
  return Number(ports[0]!.at(-1));
};

describe("modes", () => {
  test.each([
    ["active", "active", [1, 2]],
    ["active", "passive", [1, 2]],
    ["passive", "active", [1, 2]],
    ["passive", "passive", []],
    ["on", "on", [1, 2]],
    ["active", "on", []],
  ] as const)("%s and %s: the ports %j are used", (one, other, ports) => {
    const network = pair({ mode: one }, { mode: other });
    network.run(LONG_US);
    expect(used(network, "sw1")).toEqual([ports]);
  });

  test("a run goes on until LACP has decided, and no longer", () => {
    const up = pair();
    up.bench.run();
    expect(used(up, "sw1")).toEqual([[1, 2]]);
    expect(up.bench.nowUs).toBeGreaterThan(2 * SECOND_US);
    expect(up.bench.nowUs).toBeLessThan(4 * SECOND_US);
    const down = pair({}, { mode: "on" });
    down.bench.run();
    expect(down.bench.nowUs).toBeLessThan(4 * SECOND_US);
  });

  test("ports with on are used at once", () => {
    const network = pair({ mode: "on" }, { mode: "on" });
    expect(used(network, "sw1")).toEqual([[1, 2]]);
    expect(network.bench.frames).toEqual([]);
  });
});

test("one broadcast arrives once, and none goes round", () => {
  const network = pair();
  network.run(LONG_US);
  const places = way(network, HOST);
  expect(places.filter((place) => /^sw1\/[12]$/.test(place))).toHaveLength(1);
  expect(places.filter((place) => place.startsWith("sw2"))).toEqual(["sw2/0", "sw2/3"]);
});

test("addresses are learned at the first port of the bundle, and a pulled cable moves their frames to the other one", () => {
  const network = pair();
  network.run(LONG_US);
  const sw1 = network.switches.get("sw1")!;
  network.bench.inject("sw2", 0, frameTo(BROADCAST_MAC, HOST));
  network.run(1_000);
  expect(sw1.saveState().macs.map(([, mac, port]) => [mac, port])).toEqual([[HOST, 1]]);
  const first = carrier(network, HOST + 1, HOST);
  network.setCarrier(first - 1, false);
  network.run(1_000);
  expect(way(network, HOST + 1, HOST)).toEqual([`sw1/${3 - first}`, "sw2/0"]);
  network.setCarrier(2 - first, false);
  expect(sw1.saveState().macs.map(([, mac]) => mac)).toEqual([HOST + 1]);
  expect(sw1.bundles![0]).toMatchObject({ is_up: false });
});

test("a cable that is plugged in again joins after the wait of two seconds", () => {
  const network = pair();
  network.run(LONG_US);
  network.setCarrier(0, false);
  network.run(SECOND_US);
  expect(used(network, "sw1")).toEqual([[2]]);
  network.setCarrier(0, true);
  network.run(1.9 * SECOND_US);
  expect(used(network, "sw1")).toEqual([[2]]);
  network.run(0.2 * SECOND_US);
  expect(used(network, "sw1")).toEqual([[1, 2]]);
});

test.each([
  ["fast", 3.1],
  ["slow", 90.1],
] as const)("a partner that is silent is left after its time: %s, %f s", (rate, seconds) => {
  const network = pair({ rate });
  // The partner has sent its last frame within the interval that this switch asks for.
  network.run(LONG_US);
  network.silence("sw2");
  network.run(seconds * SECOND_US);
  expect(used(network, "sw1")).toEqual([[]]);
  network.run(4 * SECOND_US);
  expect(network.switches.get("sw1")!.bundles![0]!.members[0]).toEqual({
    port: 1,
    is_up: true,
    is_used: false,
    mux: "detached",
    receive: "defaulted",
  });
});

describe("wrong cables", () => {
  test("a port that leads to another switch is not used", () => {
    const network = new Network()
      .add("sw1", undefined, [1, 2], 4, { bundles: [{ ports: [1, 2] }] })
      .add("sw2", undefined, [1], 4, { bundles: [{ ports: [1, 2] }] })
      .add("sw3", undefined, [1], 4, { bundles: [{ ports: [1, 2] }] })
      .cable(["sw1", 1], ["sw2", 1])
      .cable(["sw1", 2], ["sw3", 1])
      .start();
    network.run(LONG_US);
    expect(used(network, "sw1")).toEqual([[1]]);
    expect(used(network, "sw3")).toEqual([[]]);
    network.setCarrier(0, false);
    network.run(LONG_US);
    expect(used(network, "sw1")).toEqual([[2]]);
  });

  test("a port that leads to another bundle of the same switch is not used", () => {
    const network = new Network()
      .add("sw1", undefined, [1, 2], 4, { bundles: [{ ports: [1, 2] }] })
      .add("sw2", undefined, [1, 2], 4, { bundles: [{ ports: [1] }, { ports: [2] }] })
      .cable(["sw1", 1], ["sw2", 1])
      .cable(["sw1", 2], ["sw2", 2])
      .start();
    network.run(LONG_US);
    expect([used(network, "sw1"), used(network, "sw2")]).toEqual([[[1]], [[1], []]]);
  });

  test("a cable between two ports of one bundle is not used", () => {
    const network = new Network()
      .add("sw1", undefined, [1, 2], 4, { bundles: [{ ports: [1, 2] }] })
      .cable(["sw1", 1], ["sw1", 2])
      .start();
    network.run(LONG_US);
    expect(used(network, "sw1")).toEqual([[]]);
  });

  test("frames that arrive at a port that is not in use are discarded with the reason", () => {
    const bench = new SwitchBench([trunk(), trunk(), trunk()], { bundles: [{ ports: [0, 1] }] });
    bench.device.start();
    const sent = bench.receive(1, frameTo(BROADCAST_MAC, HOST));
    expect(sent.filter(({ frame }) => targetMac(frame) !== SLOW_PROTOCOLS_MAC)).toEqual([]);
    expect(bench.discarded).toEqual(["port 1 is not in use in its bundle"]);
  });
});

test("with fallback, the first port is used alone while the other end sends no LACP", () => {
  const network = new Network()
    .add("sw1", undefined, [0, 1, 2], 4, { bundles: [{ ports: [1, 2], fallback: true }] })
    .add("sw2", undefined, [0, 1, 2], 4)
    .cable(["sw1", 1], ["sw2", 1])
    .cable(["sw1", 2], ["sw2", 2])
    .start();
  network.run(2.9 * SECOND_US);
  expect(used(network, "sw1")).toEqual([[]]);
  network.run(0.2 * SECOND_US);
  expect(used(network, "sw1")).toEqual([[1]]);
  const later = pair({ fallback: true });
  later.run(LONG_US);
  expect(used(later, "sw1")).toEqual([[1, 2]]);
});

test("bundles continue in the next run; a member whose link is gone is not used", () => {
  const network = pair();
  network.run(LONG_US);
  network.restore("sw1");
  expect(used(network, "sw1")).toEqual([[1, 2]]);
  network.run(LONG_US);
  expect(used(network, "sw1")).toEqual([[1, 2]]);
  expect(used(network, "sw2")).toEqual([[1, 2]]);
  network.setCarrier(0, false);
  network.restore("sw1");
  expect(network.switches.get("sw1")!.portsDown).toEqual([1]);
  expect(used(network, "sw1")).toEqual([[2]]);
});

test("three LACP frames go in a second at most, whatever arrives", () => {
  const bench = new SwitchBench([trunk(), trunk(), trunk()], { bundles: [{ ports: [0, 1] }] });
  bench.device.start();
  const other = new SwitchBench([trunk(), trunk(), trunk()], { bundles: [{ ports: [0, 1] }] });
  other.device.start();
  const [heard] = other.bench.frames;
  for (let count = 0; count < 20; count++) bench.bench.inject("SW", 0, heard!.frame);
  bench.bench.run(900_000);
  expect(bench.bench.frames.filter(({ port }) => port === 0)).toHaveLength(3);
});

test("what a switch says of a port is what its report shows", () => {
  const network = pair({ mode: "active", rate: "fast" });
  network.run(LONG_US);
  const last = network.bench.frames.findLast(({ from, port }) => from === "sw1" && port === 1)!;
  const { actor, partner } = decodeLacp(last.frame, 14)!;
  expect(actor).toMatchObject({ key: 1, port: 2, state: 0x3f });
  expect(partner).toMatchObject({ key: 1, port: 2, state: 0x3d });
  expect(network.switches.get("sw1")!.bundles).toEqual([
    {
      port: 1,
      mode: "active",
      is_up: true,
      members: [1, 2].map((port) => ({
        port,
        is_up: true,
        is_used: true,
        mux: "distributing",
        receive: "current",
        partner: { system: expect.stringMatching(/^02:/), key: 1, port: port + 1 },
      })),
    },
  ]);
});

test("a switch without bundles drops LACP frames and keeps the state that it had", () => {
  const bench = new SwitchBench([trunk(), trunk()]);
  expect(bench.receive(0, encodeEthernet(SLOW_PROTOCOLS_MAC, 5, 0x8809, new Uint8Array(110)))).toEqual([]);
  expect(bench.device.bundles).toBeUndefined();
  expect(Object.keys(bench.saved())).toEqual(["macs"]);
});

describe("distribution", () => {
  const ipv4 = (fields: {
    source?: number;
    fragment?: number;
    port?: number;
    protocol?: number;
  }): Uint8Array => {
    const frame = frameTo(HOST, HOST + 1, 46);
    frame[14] = 0x45;
    frame[20] = fields.fragment ?? 0;
    frame[23] = fields.protocol ?? 17;
    frame[29] = fields.source ?? 1;
    frame[33] = 2;
    frame[35] = fields.port ?? 53;
    return frame;
  };

  test("each conversation has one port, and many have all", () => {
    const network = pair();
    network.run(LONG_US);
    const ports = Array.from({ length: 32 }, (_, host) => {
      const first = carrier(network, HOST + host);
      expect(carrier(network, HOST + host)).toBe(first);
      return first;
    });
    expect(new Set(ports)).toEqual(new Set([1, 2]));
    expect(ports.filter((port) => port === 1).length).toBeGreaterThan(8);
    expect(ports.filter((port) => port === 1).length).toBeLessThan(24);
  });

  test("both directions of a conversation have the same value", () => {
    expect(hashOf("mac", frameTo(HOST, HOST + 1))).toBe(hashOf("mac", frameTo(HOST + 1, HOST)));
  });

  test.each([
    ["mac", false, false],
    ["ip", true, false],
    ["port", true, true],
  ] as const)("%s: addresses count %s, ports count %s", (kind, addresses, ports) => {
    const value = hashOf(kind, ipv4({}));
    expect(hashOf(kind, ipv4({ source: 7 })) !== value).toBe(addresses);
    expect(hashOf(kind, ipv4({ port: 54 })) !== value).toBe(ports);
    expect(hashOf(kind, ipv4({ port: 54, protocol: 1 }))).toBe(hashOf(kind, ipv4({ protocol: 1 })));
  });

  test("the fragments of a packet go with each other, whatever their ports would be", () => {
    const [first, second] = [ipv4({ fragment: 0x20 }), ipv4({ fragment: 0x20, port: 99 })];
    expect(hashOf("port", first)).toBe(hashOf("port", second));
  });

  test("IPv6 counts too, and short frames have a value", () => {
    const six = (last: number, port: number): Uint8Array => {
      const frame = new Uint8Array(14 + 40 + 8);
      frame.set([0x86, 0xdd], 12);
      frame[20] = 17;
      frame[53] = last;
      frame[57] = port;
      return frame;
    };
    expect(hashOf("ip", six(1, 1))).not.toBe(hashOf("ip", six(2, 1)));
    expect(hashOf("ip", six(1, 1))).toBe(hashOf("ip", six(1, 2)));
    expect(hashOf("port", six(1, 1))).not.toBe(hashOf("port", six(1, 2)));
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 14, maxLength: 70 }), (frame) => {
        for (const kind of ["mac", "ip", "port"] as const)
          expect(hashOf(kind, frame)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe("the spanning tree", () => {
  test("sees a bundle as its first port, and a pulled cable of it changes nothing", () => {
    const network = pair({}, {}, true);
    network.run(LONG_US);
    const root = network.roles("sw1")[1]!.startsWith("designated") ? "sw1" : "sw2";
    const below = root === "sw1" ? "sw2" : "sw1";
    expect(Object.keys(network.roles(below))).toEqual(["0", "1"]);
    expect(network.roles(below)[1]).toBe("root forwarding");
    network.setCarrier(0, false);
    network.run(10 * SECOND_US);
    expect(network.roles(below)[1]).toBe("root forwarding");
    expect(network.switches.get(below)!.portsDown).toEqual([1]);
    network.setCarrier(1, false);
    expect(network.roles(below)[1]).toBe("disabled discarding");
  });

  test("any order of cables pulled and plugged in, in bundles or not, ends in a tree that joins what can be joined", () => {
    const nat = (max: number) => fc.nat({ max });
    const step = fc.record({
      cable: nat(9),
      isUp: fc.boolean(),
      waitUs: nat(5 * SECOND_US),
      restore: nat(7),
    });
    const join = fc.record({
      a: nat(3),
      b: nat(3),
      cables: fc.integer({ min: 1, max: 3 }),
      rate: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 4 }),
        fc.array(join, { minLength: 1, maxLength: 4 }),
        fc.array(step, { maxLength: 8 }),
        (count, joins, steps) => {
          const names = Array.from({ length: count }, (_, index) => `sw${index}`);
          const ports = names.map(() => 0);
          const bundles = names.map((): object[] => []);
          // One logical link for each: the first ports of its ends, and its cables.
          const logical = joins
            .map(({ a, b, ...rest }) => ({ a: a % count, b: b % count, ...rest }))
            .filter(({ a, b }) => a !== b)
            .map(({ a, b, cables, rate }) => {
              const take = (index: number): number[] => Array.from({ length: cables }, () => ports[index]!++);
              const [one, other] = [take(a), take(b)];
              if (cables > 1) {
                bundles[a]!.push({ ports: one, rate: rate ? "fast" : "slow" });
                bundles[b]!.push({ ports: other, mode: rate ? "passive" : "active" });
              }
              const ends = one.map((port, index): [End, End] => [
                [names[a]!, port],
                [names[b]!, other[index]!],
              ]);
              return ends;
            });
          const network = new Network();
          for (const [index, name] of names.entries()) {
            const wired = Array.from({ length: ports[index]! }, (_, port) => port);
            network.add(name, true, wired, 16, { bundles: bundles[index]! });
          }
          for (const [one, other] of logical.flat()) network.cable(one, other);
          network.start();
          const up = network.cables.map(() => true);
          for (const { cable, isUp, waitUs, restore } of steps) {
            if (cable >= up.length) continue;
            network.setCarrier(cable, isUp);
            up[cable] = isUp;
            network.run(waitUs);
            if (restore < count) network.restore(names[restore]!);
          }
          network.run(LONG_US);
          let number = 0;
          const joined = logical
            .filter((cables) => cables.map(() => up[number++]!).some(Boolean))
            .map(([first]) => first!);
          const open = joined.filter((ends) =>
            ends.every(([name, port]) => network.roles(name)[port]!.endsWith("forwarding")),
          );
          expect(groups(names, open)).toBe(groups(names, joined));
          expect(open.length).toBe(names.length - groups(names, joined));
        },
      ),
      { numRuns: 60 },
    );
  });
});
