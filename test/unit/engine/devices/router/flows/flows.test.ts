/** Packets and bytes by flow, and the settings of it. */

import { formatRouterProperties, parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { ETHERTYPE_IPV6, encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIpv6Checked } from "@wirelab/engine/wire/ipv6";
import { encodeUdp4 } from "@wirelab/engine/wire/udp";
import { describe, expect, it } from "vitest";
import { type Bed, bytes, ip, ip6, MAC_A, makeBed, ROUTER_MAC, say } from "../probe.ts";

const PORTS = [
  { ipv4: "10.0.1.1/24", ipv6: "2001:db8:1::1/64" },
  { ipv4: "10.0.2.1/24", ipv6: "2001:db8:2::1/64" },
];
const makeFlowBed = (flows: object = {}): Bed => makeBed({ ports: PORTS, flows });

const TARGET = "10.0.2.10";

/** A sends a datagram with `size` bytes of data to B. */
function sendUdp(bed: Bed, targetPort: number, size = 10, typeOfService = 0): void {
  const udp = encodeUdp4(bed.a.address4, ip(TARGET), { sourcePort: 5000, targetPort, data: bytes(size) });
  bed.a.send4(ROUTER_MAC, { target: ip(TARGET), protocol: 17, typeOfService }, udp);
  bed.bench.run();
}

describe("flow counters", () => {
  it("count packets and the bytes of IP by addresses, ports, protocol, DSCP and interface, the most bytes first", () => {
    const bed = makeFlowBed();
    sendUdp(bed, 80, 10);
    bed.bench.run(1_500_000);
    sendUdp(bed, 80, 30);
    sendUdp(bed, 81, 100, 0xb8);
    expect(say(bed, "show flows")).toEqual([
      "Protocol  From            To            Arrives at  DSCP  Packets  Bytes  Lasts    Silent for",
      "udp       10.0.1.10:5000  10.0.2.10:81  Ethernet0   46    1        128    0.000 s  0.000 s",
      "udp       10.0.1.10:5000  10.0.2.10:80  Ethernet0   0     2        96     1.500 s  0.000 s",
      "2 of 1024 flows; 0 have left the full table",
    ]);
  });

  it("count ICMP by type and code, and IPv6", () => {
    const bed = makeFlowBed();
    bed.a.send4(ROUTER_MAC, { target: ip(TARGET), protocol: 1 }, Uint8Array.of(8, 0, 0xf7, 0xff, 0, 0, 0, 0));
    const fields = { source: bed.a.address6, target: ip6("2001:db8:2::10"), nextHeader: 58 };
    const frame = encodeEthernet(ROUTER_MAC, MAC_A, ETHERTYPE_IPV6, encodeIpv6Checked(fields, echo6()));
    // The traffic class 0x28, of which the last two bits are ECN.
    frame.set([0x62, 0x80], 14);
    bed.a.send(frame);
    bed.bench.run();
    const rows = say(bed, "show flows");
    expect(rows).toContainEqual(
      expect.stringMatching(/^icmp +10\.0\.1\.10 +10\.0\.2\.10 type 8 code 0 +Ethernet0 +0 +1 +28 /),
    );
    expect(rows).toContainEqual(
      expect.stringMatching(/^icmpv6 +2001:db8:1::10 +2001:db8:2::10 type 128 code 0 +Ethernet0 +10 +1 +48 /),
    );
  });

  it("are listed by their beginning if they have the same bytes", () => {
    const bed = makeFlowBed();
    for (const port of [80, 81, 80, 81, 82, 80, 81, 82, 82]) {
      sendUdp(bed, port);
      bed.bench.run(bed.bench.nowUs + 1_000);
    }
    sendUdp(bed, 80, 0);
    sendUdp(bed, 82, 0);
    sendUdp(bed, 81, 0);
    const ports = say(bed, "show flows").flatMap((row) => / 10\.0\.2\.10:(\d+) /.exec(row)?.[1] ?? []);
    expect(ports).toEqual(["80", "81", "82"]);
  });

  it("count ICMP errors by their code, and other protocols without ports", () => {
    const bed = makeFlowBed();
    bed.a.send4(
      ROUTER_MAC,
      { target: ip(TARGET), protocol: 1 },
      Uint8Array.of(13, 5, 0xf2, 0xfa, 0, 0, 0, 0),
    );
    bed.a.send4(ROUTER_MAC, { target: ip(TARGET), protocol: 253 }, bytes(20));
    bed.bench.run();
    expect(say(bed, "show flows")).toContainEqual(expect.stringContaining("10.0.2.10 type 13 code 5 "));
    const { flows } = bed.router.saveState().services?.flows ?? { flows: [] };
    // Source port, target, target port.
    expect(flows.map((flow) => flow.slice(4, 7))).toEqual([
      [0, TARGET, 13 * 256 + 5],
      [0, TARGET, 0],
    ]);
  });

  it("count what an access list denies, and no packet with a bad header", () => {
    const acls = [{ name: "none", rules: ["deny ip any any"] }];
    const bed = makeBed({ ports: [{ ...PORTS[0], acl_in: "none" }, PORTS[1]], acls, flows: {} });
    sendUdp(bed, 80);
    bed.a.send4(ROUTER_MAC, { source: ip("255.255.255.255"), target: ip(TARGET), protocol: 17 }, bytes(8));
    bed.bench.run();
    expect(say(bed, "show flows").slice(1, -1)).toEqual([expect.stringMatching(/10\.0\.2\.10:80 /)]);
  });

  it("keep the flows of last when the table is full", () => {
    const bed = makeFlowBed({ limit: 2 });
    for (const port of [80, 81, 80, 82]) sendUdp(bed, port);
    expect(say(bed, "show flows").slice(1)).toEqual([
      expect.stringMatching(/:80 .* 2 +76 /),
      expect.stringMatching(/:82 /),
      "2 of 2 flows; 1 have left the full table",
    ]);
    say(bed, "flows limit 1");
    expect(say(bed, "show flows").slice(1)).toEqual([
      expect.stringMatching(/:82 /),
      "1 of 1 flows; 2 have left the full table",
    ]);
  });

  it("are part of the state, and of nothing without packets", () => {
    const bed = makeFlowBed();
    expect(bed.router.saveState()).not.toHaveProperty("services");
    sendUdp(bed, 80);
    bed.a.send6(ROUTER_MAC, { target: ip6("2001:db8:2::10") }, echo6());
    bed.bench.run();
    const state = JSON.parse(JSON.stringify(bed.router.saveState()));
    const resumed = makeBed({ ports: PORTS, flows: {} }, state);
    resumed.bench.run(1_000_000);
    expect(say(resumed, "show flows").map(withoutTimes)).toEqual(say(bed, "show flows").map(withoutTimes));
    expect(resumed.router.saveState().services).toEqual(state.services);
  });

  it("begin anew with clear flows, and end with no flows", () => {
    const bed = makeFlowBed({ limit: 1 });
    sendUdp(bed, 80);
    sendUdp(bed, 81);
    expect(say(bed, "clear flows")).toEqual([]);
    expect(say(bed, "show flows")).toEqual(["0 of 1 flows; 0 have left the full table"]);
    expect(say(bed, "no flows")).toEqual([]);
    sendUdp(bed, 80);
    bed.a.send6(ROUTER_MAC, { target: ip6("2001:db8:2::10") }, echo6());
    bed.bench.run();
    expect(say(bed, "show flows")).toEqual(["Flows are not counted"]);
    expect(bed.router.saveState()).not.toHaveProperty("services");
    say(bed, "flows");
    sendUdp(bed, 80);
    expect(say(bed, "show flows").at(-1)).toBe("1 of 1024 flows; 0 have left the full table");
  });
});

describe("the settings of flow counters", () => {
  it("have a default", () => {
    const parsed = parseRouterProperties({ flows: {} });
    expect(parsed.ok && formatRouterProperties(parsed.config).flows).toEqual({ limit: 1024 });
  });

  it.each<[unknown, string]>([
    [[], "flows: must be an object"],
    [{ size: 1 }, "flows.size: is not a known property; known are limit"],
    [{ limit: 0 }, "flows.limit: must be 1 to 1024, not 0"],
    [{ limit: 1025 }, "flows.limit: must be 1 to 1024, not 1025"],
  ])("are rejected if they are %j", (flows, problem) => {
    const parsed = parseRouterProperties({ flows });
    expect(!parsed.ok && parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`)).toEqual(
      [problem],
    );
  });

  it.each([
    [{}, "flows"],
    [{ limit: 7 }, "flows limit 7"],
  ])("%j are shown as a command, which gives the same configuration when it is pasted", (flows, line) => {
    const given = makeFlowBed(flows);
    expect(say(given, "show run")).toContain(line);
    const pasted = makeBed({ ports: PORTS });
    expect(say(pasted, line)).toEqual([]);
    expect(pasted.router.saveState().running).toEqual(given.router.saveState().running);
  });

  it.each([
    ["flows limit", /^Usage: flows limit N$/],
    ["flows limit x", /^Usage/],
    ["flows limit 5 6", /^Usage/],
    ["flows limit 0", /^limit must be 1 to 1024, not 0$/],
    ["no flows now", /^There is no such line: flows now$/],
  ])("%s is an error", (line, message) => {
    expect(say(makeFlowBed(), line)).toEqual([expect.stringMatching(message)]);
  });

  it("cannot be removed twice", () => {
    expect(say(makeBed({ ports: PORTS }), "no flows")).toEqual(["Flows are not counted"]);
  });
});

const echo6 = (): Uint8Array => Uint8Array.of(128, 0, 0, 0, 0, 1, 0, 1);
const withoutTimes = (row: string): string => row.replaceAll(/\d+\.\d{3} s/g, "T").replaceAll(/ +/g, " ");
