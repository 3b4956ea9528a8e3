/** BFD on routers: sessions of OSPF and of the configuration, their packets, and what survives a sleep. */
import type { Router } from "@wirelab/engine/devices/router/index";
import { decodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { describe, expect, it } from "vitest";
import { writeU16 } from "../../../../../../packages/engine/base/bytes.ts";
import { checksum } from "../../../../../../packages/engine/base/checksum.ts";
import { decodeUdp } from "../../../../../../packages/engine/wire/udp.ts";
import { DeviceBench } from "../../../../../helpers/engine/device-bench.ts";
import { complaints, hasTshark } from "../../../../../helpers/proof/tshark.ts";
import { addRouter, say } from "../rip/chain.ts";

const SECOND_US = 1_000_000;
const later = (bench: DeviceBench, seconds: number): void => bench.run(bench.nowUs + seconds * SECOND_US);

interface Pair {
  readonly bench: DeviceBench;
  readonly routers: readonly Router[];
  readonly properties: readonly object[];
}

/** R1 and R2 share 10.0.0.0/24, as 10.0.0.1 and 10.0.0.2. */
function makePair(properties: (index: number) => object, saved: readonly unknown[] = []): Pair {
  const bench = new DeviceBench();
  const all = [0, 1].map((index) => properties(index));
  const routers = all.map((each, index) => addRouter(bench, index, each, saved[index] as never));
  bench.wire(["R1", 0], ["R2", 0]);
  for (const router of routers)
    if (saved.length > 0) router.resume();
    else router.start();
  return { bench, routers, properties: all };
}

const ospf = (bfd: object) => (index: number) => ({
  ports: [
    { ipv4: `10.0.0.${index + 1}/24`, ospf: { network: "point-to-point", ...bfd } },
    { ipv4: `10.${index + 1}.0.1/24` },
  ],
  ospf: { router_id: `${index + 1}.1.1.1`, networks: { "10.0.0.0/8": "0" } },
});
const withPeer =
  (peer: object, bfd: object = {}) =>
  (index: number) => ({
    ports: [{ ipv4: `10.0.0.${index + 1}/24` }],
    bfd: { peers: [{ address: `10.0.0.${2 - index}`, ...peer }], ...bfd },
  });

const statusOf = (bench: DeviceBench, name: string): string[] =>
  say(bench, name, "show bfd peers brief")
    .slice(2)
    .map((line) => line.split(/ {2,}/).join(" "));
const jsonOf = (bench: DeviceBench, name: string) =>
  JSON.parse(say(bench, name, "show bfd peers json").join("\n"));

describe("BFD for OSPF", () => {
  it("is up with the neighbour, and does not keep a run going", () => {
    const { bench } = makePair(ospf({ bfd: true }));
    bench.run();
    later(bench, 5);
    expect(statusOf(bench, "R1")).toEqual(["1 10.0.0.1 10.0.0.2 up"]);
    expect(jsonOf(bench, "R1")).toMatchObject([
      { type: "dynamic", interface: "Ethernet0", "detect-multiplier": 3 },
    ]);
  });

  it.each([
    ["with BFD in a second", { bfd: true }, 1, "No neighbours"],
    ["with a profile in two seconds", { bfd_profile: "slow" }, 1, "Full"],
    ["without BFD not in 30 seconds", {}, 30, "Full"],
  ])("loses a silent neighbour %s", (_what, bfd, seconds, shown) => {
    const slow = { bfd: { profiles: { slow: { detect_multiplier: 5, transmit_interval_ms: 400 } } } };
    const { bench } = makePair((index) => ({ ...ospf(bfd)(index), ...("bfd_profile" in bfd && slow) }));
    bench.run();
    later(bench, 5);
    // The carrier of R1 stays.
    bench.type("R2", "shutdown Ethernet0");
    later(bench, seconds);
    expect(bench.type("R1", "show ip ospf neighbor")).toContain(shown);
    if (shown === "Full") return;
    expect(statusOf(bench, "R1")).toEqual([]);
  });

  it("loses it with the values of a profile, too", () => {
    const profiles = { slow: { detect_multiplier: 5, transmit_interval_ms: 400 } };
    const { bench } = makePair((index) => ({ ...ospf({ bfd_profile: "slow" })(index), bfd: { profiles } }));
    bench.run();
    later(bench, 5);
    bench.type("R2", "shutdown Ethernet0");
    later(bench, 2.1);
    expect(bench.type("R1", "show ip ospf neighbor")).toContain("No neighbours");
  });

  it("keeps the neighbour whose BFD ends on purpose", () => {
    const { bench } = makePair(ospf({ bfd: true }));
    bench.run();
    later(bench, 5);
    bench.type("R2", "no ip ospf bfd Ethernet0");
    later(bench, 10);
    expect(bench.type("R2", "show bfd peers")).toContain("BFD is not configured");
    expect(statusOf(bench, "R1")).toEqual(["1 10.0.0.1 10.0.0.2 down"]);
    expect(bench.type("R1", "show ip ospf neighbor")).toContain("Full");
  });

  it("goes on after a sleep: no session and no neighbour begins anew", () => {
    const { bench, routers } = makePair(ospf({ bfd: true }));
    bench.run();
    later(bench, 5);
    const saved = routers.map((router) => JSON.parse(JSON.stringify(router.saveState())));
    const { bench: next } = makePair(ospf({ bfd: true }), saved);
    later(next, 20);
    expect(statusOf(next, "R1")).toEqual(["1 10.0.0.1 10.0.0.2 up"]);
    expect(jsonOf(next, "R1")[0].uptime).toBeGreaterThan(20);
    next.type("R2", "shutdown Ethernet0");
    later(next, 1);
    expect(next.type("R1", "show ip ospf neighbor")).toContain("No neighbours");
  });
});

describe("BFD for BGP", () => {
  const bgp = (bfd: object) => (index: number) => ({
    ports: [{ ipv4: `10.0.0.${index + 1}/24` }, { ipv4: `10.${index + 1}.0.1/24` }],
    bgp: {
      as: 65_001 + index,
      ebgp_requires_policy: false,
      networks: [`10.${index + 1}.0.0/24`],
      neighbors: { [`10.0.0.${2 - index}`]: { remote_as: 65_002 - index, ...bfd } },
    },
  });

  it("is up with the neighbour, and ends the session with it within a second", () => {
    const { bench } = makePair(bgp({ bfd: true }));
    bench.run();
    later(bench, 20);
    expect(statusOf(bench, "R1")).toEqual(["1 10.0.0.1 10.0.0.2 up"]);
    expect(bench.type("R1", "show ip route")).toContain("10.2.0.0/24");
    bench.type("R2", "shutdown Ethernet0");
    later(bench, 1);
    expect(bench.type("R1", "show ip route")).not.toContain("10.2.0.0/24");
    expect(bench.type("R1", "show ip bgp neighbors")).toContain(
      "Last reset due to Notification sent (Cease/BFD Down)",
    );
  });

  it("goes on watching after a sleep", () => {
    const { bench, routers } = makePair(bgp({ bfd_profile: "gone" }));
    bench.run();
    later(bench, 20);
    const saved = routers.map((router) => JSON.parse(JSON.stringify(router.saveState())));
    const { bench: next } = makePair(bgp({ bfd_profile: "gone" }), saved);
    later(next, 5);
    expect(jsonOf(next, "R1")).toMatchObject([{ status: "up", type: "dynamic" }]);
    next.type("R2", "shutdown Ethernet0");
    later(next, 1);
    expect(next.type("R1", "show ip route")).not.toContain("10.2.0.0/24");
  });

  it("watches a neighbour behind a router by way of its own address, once there is a way", () => {
    const bench = new DeviceBench();
    const neighbour = { remote_as: "internal", bfd: true };
    const all = [
      { ports: [{ ipv4: "10.0.1.1/24" }], bgp: { as: 65_001, neighbors: { "10.0.2.3": neighbour } } },
      { ports: [{ ipv4: "10.0.1.2/24" }, { ipv4: "10.0.2.2/24" }] },
      {
        ports: [{ ipv4: "10.0.2.3/24" }],
        routes: [{ to: "10.0.1.0/24", via: "10.0.2.2" }],
        bgp: { as: 65_001, neighbors: { "10.0.1.1": neighbour } },
      },
    ];
    const routers = all.map((each, index) => addRouter(bench, index, each));
    bench.wire(["R1", 0], ["R2", 0]);
    bench.wire(["R2", 1], ["R3", 0]);
    for (const router of routers) router.start();
    later(bench, 10);
    expect(statusOf(bench, "R1")).toEqual([]);
    bench.type("R1", "route add 10.0.2.0/24 via 10.0.1.2");
    later(bench, 10);
    expect(statusOf(bench, "R1")).toEqual(["1 10.0.1.1 10.0.2.3 up"]);
    expect(bench.type("R1", "show bfd peers")).toContain("peer 10.0.2.3 multihop local-address 10.0.1.1");
  });
});

describe("BFD with configured peers", () => {
  it("has packets of TTL 255 from a high port, with the precedence of internetwork control", () => {
    const { bench } = makePair(withPeer({}));
    later(bench, 5);
    const packets = bench.frames.flatMap(({ frame }) => {
      const header = decodeIpv4(frame, 14);
      const udp = header?.protocol === 17 ? decodeUdp(frame.subarray(34)) : null;
      return header && udp?.targetPort === 3784
        ? [`${header.ttl} ${header.typeOfService} ${udp.sourcePort}`]
        : [];
    });
    expect(new Set(packets)).toEqual(new Set(["255 192 49153"]));
  });

  it("discards packets of one hop that have crossed a router", () => {
    const { bench } = makePair(withPeer({}));
    later(bench, 5);
    const last = bench.frames.findLast(({ from }) => from === "R2")!.frame;
    /** The neighbour says that it is down; its datagram has no checksum. */
    const downWith = (ttl: number): Uint8Array => {
      const frame = last.slice();
      frame.set([ttl], 22);
      frame.set([0, 0], 24);
      writeU16(frame, 24, checksum(frame, 14, 34));
      frame.set([0, 0], 40);
      frame.set([0x40], 43);
      return frame;
    };
    bench.inject("R1", 0, downWith(254));
    later(bench, 0.1);
    expect(jsonOf(bench, "R1")[0].uptime).toBeGreaterThan(3);
    bench.inject("R1", 0, downWith(255));
    later(bench, 0.1);
    // The session has been down, and is up again.
    expect(jsonOf(bench, "R1")[0]).toMatchObject({ status: "up", uptime: 0 });
  });

  it("keep their own values if a protocol watches the same neighbour", () => {
    const { bench } = makePair((index) => ({
      ...ospf({ bfd: true })(index),
      bfd: { peers: [{ address: `10.0.0.${2 - index}`, detect_multiplier: 7 }] },
    }));
    bench.run();
    later(bench, 5);
    expect(jsonOf(bench, "R1")).toMatchObject([{ type: "configured", "detect-multiplier": 7, status: "up" }]);
  });

  it("reaches a neighbour behind a router with multihop", () => {
    const bench = new DeviceBench();
    const peer = (local: string, address: string) => ({
      bfd: { peers: [{ address, multihop: true, local_address: local, minimum_ttl: 254 }] },
    });
    const all = [
      {
        ports: [{ ipv4: "10.0.1.1/24" }],
        routes: [{ to: "10.0.2.0/24", via: "10.0.1.2" }],
        ...peer("10.0.1.1", "10.0.2.3"),
      },
      { ports: [{ ipv4: "10.0.1.2/24" }, { ipv4: "10.0.2.2/24" }] },
      {
        ports: [{ ipv4: "10.0.2.3/24" }],
        routes: [{ to: "10.0.1.0/24", via: "10.0.2.2" }],
        ...peer("10.0.2.3", "10.0.1.1"),
      },
    ];
    const routers = all.map((each, index) => addRouter(bench, index, each));
    bench.wire(["R1", 0], ["R2", 0]);
    bench.wire(["R2", 1], ["R3", 0]);
    for (const router of routers) router.start();
    later(bench, 10);
    expect(statusOf(bench, "R1")).toEqual(["1 10.0.1.1 10.0.2.3 up"]);
    bench.type("R2", "shutdown Ethernet1");
    later(bench, 2);
    expect(statusOf(bench, "R1")).toEqual(["1 10.0.1.1 10.0.2.3 down"]);
  });

  it.each(["10.0.0.9", "2001:db8::9"])("lets a run end although %s is not there", (address) => {
    const { bench } = makePair((index) => ({
      ports: [{ ipv4: `10.0.0.${index + 1}/24`, ipv6: `2001:db8::${index + 1}/64` }],
      bfd: { peers: [{ address }] },
    }));
    bench.run();
    expect(bench.nowUs).toBeLessThan(10 * SECOND_US);
    later(bench, 10);
    expect(bench.type("R1", "show bfd peers brief")).toContain("down");
  });

  it("reaches IPv6 neighbours", () => {
    const { bench } = makePair((index) => ({
      ports: [{ ipv6: `2001:db8::${index + 1}/64` }],
      bfd: { peers: [{ address: `2001:db8::${2 - index}` }] },
    }));
    later(bench, 10);
    expect(statusOf(bench, "R1")).toEqual(["1 2001:db8::1 2001:db8::2 up"]);
  });

  it("is held down by shutdown, and comes back", () => {
    const { bench } = makePair(withPeer({}));
    later(bench, 5);
    const peer = ["configure", "bfd", "peer 10.0.0.2"];
    bench.type("R1", ...peer, "shutdown", "end");
    later(bench, 5);
    expect([statusOf(bench, "R1"), statusOf(bench, "R2")].flat()).toEqual([
      "1 10.0.0.1 10.0.0.2 shutdown",
      "1 10.0.0.2 10.0.0.1 down",
    ]);
    bench.type("R1", ...peer, "no shutdown", "end");
    later(bench, 5);
    expect(statusOf(bench, "R2")).toEqual(["1 10.0.0.2 10.0.0.1 up"]);
  });

  it("shows each session with its intervals", () => {
    const { bench } = makePair((index) =>
      withPeer(
        { profile: index === 0 ? "fast" : "gone" },
        { profiles: { fast: { transmit_interval_ms: 50 } } },
      )(index),
    );
    later(bench, 5);
    const shown = say(bench, "R1", "show bfd peers");
    expect(shown.slice(0, 4)).toEqual([
      "BFD Peers:",
      "\tpeer 10.0.0.2 vrf default interface Ethernet0",
      "\t\tID: 1",
      "\t\tRemote ID: 1",
    ]);
    expect(shown).toContain("\t\t\tTransmission interval: 50ms");
    expect(say(bench, "R2", "show bfd peers")).toContain("\t\tProfile: gone (is not configured)");
  });

  it("says which neighbours are too many to be watched", () => {
    const { bench } = makePair((index) => ({
      ...ospf({ bfd: true })(index),
      bfd: { peers: Array.from({ length: 64 }, (_, at) => ({ address: `10.0.0.${at + 100}` })) },
    }));
    bench.run();
    later(bench, 5);
    expect(say(bench, "R1", "show bfd peers").at(-1)).toBe(
      "1 neighbour is not watched: a router has 64 sessions",
    );
    expect(bench.type("R1", "show ip ospf neighbor")).toContain("Full");
  });

  it.skipIf(!hasTshark)(
    "sends nothing that tshark calls malformed (skipped where it is not installed)",
    () => {
      const { bench } = makePair(withPeer({}));
      later(bench, 5);
      const frames = bench.frames.map(({ atUs, frame, from }) => ({ atUs, frame, from }));
      expect(frames.length).toBeGreaterThan(20);
      expect(complaints(frames)).toEqual([]);
    },
  );
});
