/** A DHCP relay, and a router that serves subnets behind relays: RFC 2131, section 4.1, and RFC 1542, section 4.1. */

import { Pc } from "@wirelab/engine/devices/pc/index";
import { Router } from "@wirelab/engine/devices/router/index";
import { BROADCAST_MAC } from "@wirelab/engine/wire/mac";
import { decodeUdp, encodeUdp4 } from "@wirelab/engine/wire/udp";
import { describe, expect, it } from "vitest";
import { Hub } from "../../../../../../packages/engine/devices/hub/index.ts";
import {
  type Dhcp,
  decodeDhcp,
  dhcpNumber,
  dhcpOption,
  encodeDhcp,
} from "../../../../../../packages/engine/wire/dhcp.ts";
import { DeviceBench } from "../../../../../helpers/engine/device-bench.ts";
import { type Bed, ip, MAC_A, makeBed, ROUTER_MAC, say, specOf } from "../probe.ts";

const POOL = {
  subnet: "10.0.1.0/24",
  gateway: "10.0.1.1",
  first: "10.0.1.100",
  last: "10.0.1.101",
  dns: ["10.0.2.53"],
  reservations: [{ mac: "00:50:79:66:68:01", address: "10.0.1.50" }],
};

/** PC1 and PC2 - hub - R1, a relay - R2, the server. */
function makeNet(pool: object = POOL, relay: object = { ports: { Ethernet0: "10.0.2.2" } }): DeviceBench {
  const bench = new DeviceBench();
  const ports = [{ ipv4: "10.0.1.1/24" }, { ipv4: "10.0.2.1/24" }];
  bench.add("R1", (world) => new Router(specOf({ ports, dhcp_relay: relay }), world));
  const server = {
    ports: [{ ipv4: "10.0.2.2/24" }],
    routes: [{ to: "10.0.1.0/24", via: "10.0.2.1" }],
    dhcp_pools: [pool],
  };
  const spec = { ...specOf(server, "R2"), mac: ROUTER_MAC + 16 };
  bench.add("R2", (world) => new Router(spec, world));
  bench.add("HUB", (world) => new Hub({ type: "ethernet_hub", name: "HUB", ports: 3 }, world));
  bench.wire(["R1", 0], ["HUB", 0]);
  bench.wire(["R1", 1], ["R2", 0]);
  for (const [index, name] of ["PC1", "PC2"].entries()) {
    bench.add(
      name,
      (world) => new Pc({ type: "vpcs", name, index, startupScript: "", ignoresChecksums: false }, world),
    );
    bench.wire([name, 0], ["HUB", index + 1]);
  }
  return bench;
}

describe("a client behind a relay", () => {
  it("gets an address of the pool for its subnet, with the gateway there", () => {
    const bench = makeNet();
    expect(bench.type("PC1", "ip dhcp")).toContain("DORA IP 10.0.1.100/24 GW 10.0.1.1");
    expect(bench.type("PC1", "show ip")).toMatch(/DNS +: 10\.0\.2\.53/);
    expect(bench.type("R2", "show dhcp")).toMatch(/10\.0\.1\.100 +00:50:79:66:68:00 +PC1 +leased/);
    expect(bench.type("PC1", "ping 10.0.2.2 -c 1")).toContain("84 bytes from 10.0.2.2");
  });

  it("gets its reservation, also outside of the range, and no other client gets it", () => {
    const bench = makeNet({ ...POOL, first: "10.0.1.50", last: "10.0.1.50" });
    expect(bench.type("PC1", "ip dhcp")).toContain("Can't find dhcp server");
    expect(bench.type("PC2", "ip dhcp")).toContain("DORA IP 10.0.1.50/24");
  });

  it("renews its lease directly, and gives it back", () => {
    const bench = makeNet();
    bench.type("PC1", "ip dhcp");
    const before = bench.frames.length;
    expect(bench.type("PC1", "ip dhcp -r")).toContain("IP 10.0.1.100/24");
    bench.type("PC1", "ip dhcp -x");
    bench.run();
    const messages = bench.frames.slice(before).flatMap(({ from, frame }) => {
      const udp = from === "PC1" ? decodeUdp(frame.subarray(34)) : null;
      return udp?.targetPort === 67 ? [decodeDhcp(udp.data)!] : [];
    });
    expect(messages.length).toBeGreaterThan(0);
    expect(bench.type("R2", "show dhcp")).toMatch(/10\.0\.1\.100 .* over/);
  });

  it("gets nothing when the pool for its subnet goes away, and its lease is forgotten", () => {
    const bench = makeNet();
    bench.type("PC1", "ip dhcp");
    expect(bench.type("R2", "no dhcp-pool 10.0.1.0/24", "show dhcp")).toContain("No port serves addresses");
    expect(bench.type("PC2", "ip dhcp")).toContain("Can't find dhcp server");
    expect(
      bench.type("R2", "dhcp-pool 10.0.1.0/24 gateway 10.0.1.1 10.0.1.200 10.0.1.201", "show dhcp"),
    ).toContain("No leases");
    expect(bench.type("PC2", "ip dhcp")).toContain("DORA IP 10.0.1.200/24");
  });
});

describe("a relay", () => {
  const RELAY = { ports: { Ethernet0: ["10.0.2.10"] } };
  const makeRelayBed = (relay: object = RELAY): Bed =>
    makeBed({ ports: [{ ipv4: "10.0.1.1/24" }, { ipv4: "10.0.2.1/24" }], dhcp_relay: relay });
  const DISCOVER: Dhcp = {
    op: 1,
    xid: 0x1234_5678,
    secs: 3,
    flags: 0,
    clientIp: 0,
    yourIp: 0,
    serverIp: 0,
    relayIp: 0,
    clientMac: MAC_A,
    options: [[53, Uint8Array.of(1)]],
  };

  function request(bed: Bed, changes: Partial<Dhcp> = {}, hops = 0): void {
    const data = encodeDhcp({ ...DISCOVER, ...changes });
    data[3] = hops;
    // The name of a file to boot: a relay passes on what it does not know.
    data.set([0x62, 0x6f, 0x6f, 0x74], 108);
    const target = ip("255.255.255.255");
    const udp = encodeUdp4(0, target, { sourcePort: 68, targetPort: 67, data });
    bed.a.send4(BROADCAST_MAC, { source: 0, target, protocol: 17 }, udp);
    bed.bench.run();
  }

  /** B is the server. */
  function reply(bed: Bed, changes: Partial<Dhcp> = {}): void {
    const relayIp = changes.relayIp ?? ip("10.0.1.1");
    const message = { ...DISCOVER, op: 2, yourIp: ip("10.0.1.77"), relayIp, ...changes };
    const target = ip("10.0.2.1");
    const udp = encodeUdp4(ip("10.0.2.10"), target, {
      sourcePort: 67,
      targetPort: 67,
      data: encodeDhcp({ ...message, options: [[53, Uint8Array.of(2)], ...message.options.slice(1)] }),
    });
    bed.b.send4(ROUTER_MAC + 1, { target, protocol: 17 }, udp);
    bed.bench.run();
  }

  const atServer = (bed: Bed): { data: Uint8Array; message: Dhcp }[] =>
    bed.b.packets4.flatMap(({ header, payload }) => {
      const udp = header.protocol === 17 ? decodeUdp(payload)! : null;
      return udp ? [{ data: udp.data, message: decodeDhcp(udp.data)! }] : [];
    });

  it("adds its address and a hop, sends from its port 67 to the server's, and changes nothing else", () => {
    const bed = makeRelayBed();
    request(bed);
    const [got] = atServer(bed);
    expect(got!.message).toEqual({ ...DISCOVER, relayIp: ip("10.0.1.1") });
    expect([got!.data[3], ...got!.data.subarray(108, 112)]).toEqual([1, 0x62, 0x6f, 0x6f, 0x74]);
    const { header, payload } = bed.b.packets4[0]!;
    expect([header.source, header.target]).toEqual([ip("10.0.2.1"), ip("10.0.2.10")]);
    expect(decodeUdp(payload)).toMatchObject({ sourcePort: 67, targetPort: 67 });
  });

  it("keeps the address of a relay before it", () => {
    const bed = makeRelayBed();
    request(bed, { relayIp: ip("10.9.0.1") }, 1);
    expect(atServer(bed)[0]).toMatchObject({ message: { relayIp: ip("10.9.0.1") } });
    expect(atServer(bed)[0]!.data[3]).toBe(2);
  });

  it.each([
    [3, 1],
    [4, 0],
    [16, 0],
    [255, 0],
  ])("with a limit of 4 hops, a request with %i reaches %i servers", (hops, count) => {
    const bed = makeRelayBed();
    request(bed, {}, hops);
    expect(atServer(bed)).toHaveLength(count);
  });

  it("asks all servers of the port", () => {
    const bed = makeRelayBed({ ports: { Ethernet0: ["10.0.2.10", "10.0.2.20"] } });
    request(bed);
    expect(atServer(bed)).toHaveLength(1);
    expect(say(bed, "show arp").join("\n")).toContain("10.0.2.10");
    expect(bed.router.saveState().counters.drops.unreachable).toBe(1);
  });

  it.each<[string, Partial<Dhcp>, string, boolean]>([
    ["to the client's MAC", {}, "10.0.1.77", false],
    ["to all, if the client wants that", { flags: 0x8000 }, "255.255.255.255", true],
    ["to all, if it is a refusal", { yourIp: 0 }, "255.255.255.255", true],
  ])("passes a reply on %s", (_, changes, target, toAll) => {
    const bed = makeRelayBed();
    reply(bed, changes);
    const [got] = bed.a.packets4;
    expect(got!.header).toMatchObject({ source: ip("10.0.1.1"), target: ip(target) });
    expect(got!.frame[0] === 0xff).toBe(toAll);
    expect(decodeUdp(got!.payload)).toMatchObject({ sourcePort: 67, targetPort: 68 });
  });

  it("does not pass on a reply for another relay, or for none", () => {
    const bed = makeRelayBed();
    reply(bed, { relayIp: ip("10.0.2.1") });
    reply(bed, { relayIp: ip("10.7.0.1") });
    expect(bed.a.packets4).toEqual([]);
  });

  it("adds option 82 with the name of the port if it is configured, and takes it out of the reply", () => {
    const bed = makeRelayBed({ ...RELAY, agent_option: true });
    request(bed);
    const option = dhcpOption(atServer(bed)[0]!.message, 82);
    expect([...option!]).toEqual([1, 9, ...new TextEncoder().encode("Ethernet0")]);
    reply(bed, {
      options: [
        [53, Uint8Array.of(2)],
        [82, option!],
        [51, Uint8Array.of(0, 0, 0, 9)],
      ],
    });
    const answer = decodeDhcp(decodeUdp(bed.a.packets4[0]!.payload)!.data)!;
    expect([dhcpOption(answer, 82), dhcpNumber(answer, 51)]).toEqual([undefined, 9]);
  });

  it("does not replace option 82 of another relay", () => {
    const bed = makeRelayBed({ ...RELAY, agent_option: true });
    request(bed, { options: [...DISCOVER.options, [82, Uint8Array.of(1, 1, 7)]] });
    expect([...dhcpOption(atServer(bed)[0]!.message, 82)!]).toEqual([1, 1, 7]);
  });

  it("leaves requests of other ports, and data that are no DHCP message", () => {
    const bed = makeRelayBed({ ports: { Ethernet1: "10.0.1.10" } });
    request(bed);
    const target = ip("10.0.1.1");
    const udp = encodeUdp4(bed.a.address4, target, {
      sourcePort: 68,
      targetPort: 67,
      data: new Uint8Array(9),
    });
    bed.a.send4(ROUTER_MAC, { target, protocol: 17 }, udp);
    bed.bench.run();
    expect(atServer(bed)).toEqual([]);
    expect(bed.a.packets4.map(({ payload }) => [payload[0], payload[1]])).toEqual([[3, 3]]);
  });

  it("keeps nothing in the state", () => {
    expect(makeRelayBed().router.saveState()).not.toHaveProperty("services");
  });
});
