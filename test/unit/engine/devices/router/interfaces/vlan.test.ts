import { Pc } from "@wirelab/engine/devices/pc/index";
import { Router } from "@wirelab/engine/devices/router/index";
import { EthernetSwitch } from "@wirelab/engine/devices/switch/index";
import { encodeArp } from "@wirelab/engine/wire/arp";
import { encodeEthernet, etherType } from "@wirelab/engine/wire/ethernet";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { BROADCAST_MAC } from "@wirelab/engine/wire/mac";
import { popTag, pushTag, readTag } from "@wirelab/engine/wire/vlan-tag";
import { describe, expect, it } from "vitest";
import { FrameSlab } from "../../../../../../packages/engine/base/frame-slab.ts";
import { NO_USAGE } from "../../../../../../packages/engine/devices/router/shell/configure.ts";
import { DeviceBench } from "../../../../../helpers/engine/device-bench.ts";
import { bytes, ip, MAC_A, makeBed, ROUTER_MAC, say, shownLines, specOf, unwrap4 } from "../probe.ts";

const SLAB = new FrameSlab();
const tag = (frame: Uint8Array, vlan: number, type = 0x8100): Uint8Array =>
  pushTag(frame, { etherType: type, priority: 0, vlan }, SLAB);
const arpFor = (senderIp: string, targetIp: string): Uint8Array =>
  encodeArp(BROADCAST_MAC, MAC_A, {
    opcode: 1,
    senderMac: MAC_A,
    senderIp: ip(senderIp),
    targetMac: 0,
    targetIp: ip(targetIp),
  });

const STICK = {
  ports: [{ ipv4: "10.0.1.1/24" }, {}],
  interfaces: [
    { name: "Ethernet0.10", vlan: 10, ipv4: "10.0.10.1/24", ipv6: "2001:db8:10::1/64" },
    {
      name: "Ethernet0.20",
      vlan: 20,
      ipv4: "10.0.20.1/24",
      dhcp: { first: "10.0.20.100", last: "10.0.20.110" },
    },
  ],
};

const USAGE =
  "Usage: interface PORT.N vlan ID [outer ID] | interface NAME loopback | interface NAME gre LOCAL REMOTE [key N] [ttl N] | interface vlanN svi | interface NAME vxlan VNI LOCAL [remote ADDR]... [member PORT]... [port N] [ttl N] [ageing SECONDS]";

/** A router on a trunk of a switch, whose two access ports are in VLAN 10 and 20. */
function onAStick(): DeviceBench {
  const bench = new DeviceBench();
  bench.add("R1", (world) => new Router(specOf(STICK), world)).start();
  const ports = [
    { type: "dot1q", vlan: 1, etherType: 0x8100 },
    { type: "access", vlan: 10, etherType: 0x8100 },
    { type: "access", vlan: 20, etherType: 0x8100 },
  ] as const;
  bench.add(
    "SW",
    (world) => new EthernetSwitch({ type: "ethernet_switch", name: "SW", ports: [...ports] }, world),
  );
  for (const index of [1, 2]) {
    const name = `PC${index}`;
    bench.add(name, (world) => new Pc({ type: "vpcs", name, index, startupScript: "" }, world));
    bench.wire([name, 0], ["SW", index]);
  }
  bench.wire(["R1", 0], ["SW", 0]);
  return bench;
}

const sentBy = (bench: DeviceBench, name: string): Uint8Array[] =>
  bench.frames.filter(({ from }) => from === name).map(({ frame }) => frame);

describe("subinterfaces of a router", () => {
  it("route between VLANs of one port", () => {
    const bench = onAStick();
    bench.type("PC2", "ip 10.0.20.10/24 10.0.20.1");
    bench.type("PC1", "ip 10.0.10.10/24 10.0.10.1");
    expect(bench.type("PC1", "ping 10.0.20.10 -c 1")).toContain("84 bytes from 10.0.20.10 icmp_seq=1 ttl=63");
    expect(new Set(sentBy(bench, "R1").map((frame) => readTag(frame)?.vlan))).toEqual(new Set([10, 20]));
  });

  it("lease addresses of their own pools", () => {
    expect(onAStick().type("PC2", "ip dhcp")).toContain("IP 10.0.20.100/24 GW 10.0.20.1");
  });

  it("answer router solicitations of their VLAN", () => {
    expect(onAStick().type("PC1", "ip auto", "show ipv6")).toContain("2001:db8:10:0:250:79ff:fe66:6801/64");
  });

  it("leave untagged frames, and those of VLAN 0, to their port", () => {
    const bed = makeBed(STICK);
    bed.a.send(arpFor("10.0.1.10", "10.0.1.1"));
    bed.a.send(tag(arpFor("10.0.1.11", "10.0.1.1"), 0));
    bed.bench.run();
    expect(bed.a.received.map(readTag)).toEqual([undefined, undefined]);
    expect(say(bed, "show arp").map((line) => line.split(" ")[0])).toEqual([
      "Address",
      "10.0.1.10",
      "10.0.1.11",
    ]);
  });

  it.each([
    ["another VLAN", (frame: Uint8Array) => tag(frame, 30)],
    ["a second tag", (frame: Uint8Array) => tag(tag(frame, 10), 10)],
    ["another VLAN inside the tag of VLAN 0", (frame: Uint8Array) => tag(tag(frame, 30), 0)],
  ])("drop frames with %s, and count them", (_what, change) => {
    const bed = makeBed(STICK);
    bed.a.send(change(arpFor("10.0.10.10", "10.0.10.1")));
    bed.bench.run();
    expect(bed.a.received).toEqual([]);
    expect(say(bed, "show counters")).toContain("Dropped, frames of a VLAN without an interface: 1");
  });

  it("count their own frames, and the port counts them too", () => {
    const bed = makeBed(STICK);
    bed.a.send(tag(arpFor("10.0.10.10", "10.0.10.1"), 10));
    bed.bench.run();
    const { ports } = bed.router.saveState().counters;
    expect(ports).toEqual([
      { framesIn: 1, bytesIn: 46, framesOut: 1, bytesOut: 46 },
      { framesIn: 0, bytesIn: 0, framesOut: 0, bytesOut: 0 },
      { framesIn: 1, bytesIn: 42, framesOut: 1, bytesOut: 42 },
      { framesIn: 0, bytesIn: 0, framesOut: 0, bytesOut: 0 },
    ]);
  });

  it("with two tags put 802.1ad outside and 802.1Q inside", () => {
    const bench = new DeviceBench();
    for (const [name, host] of [
      ["R1", 1],
      ["R2", 2],
    ] as const) {
      const spec = specOf(
        {
          ports: [{}],
          interfaces: [
            { name: "Ethernet0.7", vlan: 7, ipv4: `10.0.7.${host}/24` },
            { name: "Ethernet0.100.7", vlan: 7, outer_vlan: 100, ipv4: `10.0.107.${host}/24` },
          ],
        },
        name,
      );
      bench.add(name, (world) => new Router({ ...spec, mac: ROUTER_MAC + host }, world));
    }
    bench.wire(["R1", 0], ["R2", 0]);
    expect(bench.type("R1", "ping 10.0.107.2 -c 1", "ping 10.0.7.2 -c 1").match(/1 received/g)).toHaveLength(
      2,
    );
    const tags = sentBy(bench, "R1").map((frame) => {
      const inside = popTag(frame, SLAB);
      return [etherType(frame), readTag(frame)?.vlan, readTag(inside)?.vlan];
    });
    expect(tags).toEqual([
      [0x88a8, 100, 7],
      [0x88a8, 100, 7],
      [0x8100, 7, undefined],
      [0x8100, 7, undefined],
    ]);
  });

  it("take every type of an outer tag", () => {
    const bed = makeBed({
      ports: [{}, {}],
      interfaces: [{ name: "Ethernet0.1", vlan: 7, outer_vlan: 5, ipv4: "10.0.10.1/24" }],
    });
    for (const type of [0x8100, 0x88a8, 0x9100, 0x9200])
      bed.a.send(tag(tag(arpFor("10.0.10.10", "10.0.10.1"), 7), 5, type));
    bed.bench.run();
    expect(bed.a.received).toHaveLength(4);
  });

  it("go down with their port, and with its carrier", () => {
    const bed = makeBed(STICK);
    say(bed, "shutdown 0");
    expect(say(bed, "show route")).toEqual(["No routes"]);
    say(bed, "no shutdown 0");
    bed.a.send(tag(arpFor("10.0.10.10", "10.0.10.1"), 10));
    bed.bench.run();
    expect(say(bed, "show arp")).toHaveLength(2);
    bed.router.linkChanged(0, false);
    expect(
      say(bed, "show interfaces")
        .slice(3)
        .map((line) => line.split(/ {2,}/)[1]),
    ).toEqual(["no carrier", "no carrier"]);
    expect(say(bed, "show arp")).toEqual(["No neighbours"]);
  });

  it("are shut down alone", () => {
    const bed = makeBed(STICK);
    say(bed, "shutdown Ethernet0.10");
    bed.a.send(tag(arpFor("10.0.10.10", "10.0.10.1"), 10));
    bed.a.send(tag(arpFor("10.0.20.10", "10.0.20.1"), 20));
    bed.bench.run();
    expect(bed.a.received.map((frame) => readTag(frame)?.vlan)).toEqual([20]);
    expect(shownLines(bed)).toContain("Ethernet0.10: shutdown");
  });

  it("send no larger packets than their port: the tag does not count", () => {
    const bed = makeBed(STICK);
    say(bed, "mtu 0 1400");
    bed.a.send(tag(arpFor("10.0.10.10", "10.0.10.1"), 10));
    bed.bench.run();
    say(bed, "ping 10.0.10.10 -c 1 -s 1400");
    const fragments = bed.a.received.slice(1).map((frame) => unwrap4(popTag(frame, SLAB)).header.totalBytes);
    expect(fragments).toEqual([1396, 52]);
  });

  it("fragment packets that the link returns, with their tag", () => {
    const bed = makeBed(STICK);
    bed.a.send(tag(arpFor("10.0.10.10", "10.0.10.1"), 10));
    bed.bench.run();
    const fields = { source: ip("10.0.20.9"), target: ip("10.0.10.10"), protocol: 253 };
    const [packet] = encodeIpv4(fields, bytes(1_400), 1_500);
    bed.router.refused(0, tag(encodeEthernet(MAC_A, ROUTER_MAC, 0x0800, packet!), 10), 1_000);
    bed.bench.run();
    const fragments = bed.a.received.slice(1);
    expect(fragments.map((frame) => readTag(frame)?.vlan)).toEqual([10, 10]);
    expect(fragments.map((frame) => unwrap4(popTag(frame, SLAB)).header.totalBytes)).toEqual([996, 444]);
  });

  it("are made, changed and removed at the console", () => {
    const bed = makeBed({ ports: [{}, {}] });
    expect(say(bed, "interface Ethernet0.10 vlan 10")).toEqual([]);
    expect(say(bed, "ip ethernet0.10 10.0.10.1/24")).toEqual([]);
    expect(say(bed, "interface Ethernet1.5 vlan 5 outer 6")).toEqual([]);
    expect(say(bed, "interface Ethernet0.10 vlan 11")).toEqual([]);
    expect(shownLines(bed)).toEqual([
      "interface Ethernet0.10 vlan 11",
      "Ethernet0.10: ip address 10.0.10.1/24",
      "interface Ethernet1.5 vlan 5 outer 6",
    ]);
    expect(say(bed, "no interface ethernet0.10")).toEqual([]);
    expect(say(bed, "show run")).toEqual(["interface Ethernet1.5 vlan 5 outer 6"]);
  });

  it("keep counters and neighbours of others apart when one is removed", () => {
    const bed = makeBed(STICK);
    bed.a.send(tag(arpFor("10.0.20.10", "10.0.20.1"), 20));
    bed.bench.run();
    expect(say(bed, "no interface Ethernet0.10")).toEqual([]);
    expect(bed.router.saveState().counters.ports.map(({ framesIn }) => framesIn)).toEqual([1, 0, 1]);
    expect(say(bed, "show arp")).toEqual(["No neighbours"]);
    bed.a.send(tag(arpFor("10.0.20.10", "10.0.20.1"), 20));
    bed.bench.run();
    expect(say(bed, "show arp")[1]).toContain("Ethernet0.20");
  });

  it.each([
    ["interface", USAGE],
    ["interface Ethernet0.1", USAGE],
    ["interface Ethernet0.1 vlan x", USAGE],
    ["interface Ethernet0.1 vlan 1 inner 2", USAGE],
    ["interface Ethernet0.1 vlan 0", "vlan must be 1 to 4094, not 0"],
    [
      "interface Ethernet7.1 vlan 1",
      "Ethernet7.1 is of no port: a subinterface is named for its port, as Ethernet0.10",
    ],
    ["interface Ethernet0.1 vlan 10", "VLAN 10 of Ethernet0 is that of Ethernet0.10"],
    [
      "no interface Ethernet0.1",
      "There is no interface Ethernet0.1 to remove: show ip lists them; ports stay",
    ],
    ["no interface Ethernet0", "There is no interface Ethernet0 to remove: show ip lists them; ports stay"],
    ["no interface", `Usage: ${NO_USAGE}`],
    ["mtu 2 1400", "There is no port 2: show ip lists the ports"],
  ])("reject `%s` with the reason", (line, complaint) => {
    expect(say(makeBed(STICK), line)).toEqual([complaint]);
  });
});
