import { Router } from "@wirelab/engine/devices/router/index";
import { ARP_REPLY, ARP_REQUEST, decodeArp, encodeArp } from "@wirelab/engine/wire/arp";
import { targetMac } from "@wirelab/engine/wire/ethernet";
import { encodeIcmp } from "@wirelab/engine/wire/icmp";
import { decodeIpv4, type Ipv4Header } from "@wirelab/engine/wire/ipv4";
import { BROADCAST_MAC } from "@wirelab/engine/wire/mac";
import { describe, expect, it } from "vitest";
import { DeviceBench } from "../../../../helpers/engine/device-bench.ts";
import { type Bed, bytes, ip, MAC_A, makeBed, ROUTER_MAC, say, specOf, TWO_SUBNETS } from "./probe.ts";

const R2_MAC = 0x0200_0000_0200;

/** R1 - R2; R1 routes 10.9.0.0/16 and 2001:db8:9::/48 over R2, which has a link with a small MTU there. */
function makePair(): DeviceBench {
  const bench = new DeviceBench();
  const near = specOf({
    ports: [{ ipv4: "10.0.1.1/24", ipv6: "2001:db8:1::1/64" }, { ipv4: "10.0.2.1/24" }, {}],
    routes: [
      { to: "10.9.0.0/16", via: "10.0.1.2" },
      { to: "2001:db8:9::/48", via: "2001:db8:1::2" },
    ],
  });
  const far = specOf(
    {
      ports: [
        { ipv4: "10.0.1.2/24", ipv6: "2001:db8:1::2/64" },
        { ipv4: "10.9.0.1/16", ipv6: "2001:db8:9::1/64", mtu: 1_300 },
      ],
      routes: [{ to: "10.0.2.0/24", via: "10.0.1.1" }],
    },
    "R2",
  );
  bench.add("R1", (world) => new Router(near, world));
  bench.add("R2", (world) => new Router({ ...far, mac: R2_MAC }, world));
  bench.wire(["R1", 0], ["R2", 0]);
  return bench;
}

const ping = (bench: DeviceBench, args: string): string => bench.type("R1", `ping ${args}`);

/** Headers of the IPv4 packets that R1 sent to an address. */
const sentTo = (bench: DeviceBench, target: string): Ipv4Header[] =>
  bench.frames
    .filter(({ from }) => from === "R1")
    .map(({ frame }) => decodeIpv4(frame, 14))
    .filter((header): header is Ipv4Header => header?.target === ip(target));

/** Answers the router's ping in place of a host on port 0. */
function replyFrom({ a }: Bed, source: string, sequence: number): void {
  const reply = encodeIcmp(0, 0, 0x1_0000 + sequence, bytes(56));
  a.send4(ROUTER_MAC, { source: ip(source), target: ip("10.0.1.1"), protocol: 1 }, reply);
}

describe("the size of a ping", () => {
  it.each([
    ["10.0.1.2", 0],
    ["10.0.1.2", 1_472],
    ["10.0.1.2", 4_000],
    ["2001:db8:1::2", 1_452],
  ])("to %s is %i bytes", (target, size) => {
    const shown = ping(makePair(), `${target} -s ${size} -c 1`);
    expect(shown).toContain(`PING ${target}: ${size} data bytes\n${size + 8} bytes from ${target}: seq=1`);
  });

  it("can be that of the largest packet, when the neighbour is known", () => {
    const bench = makePair();
    expect(ping(bench, "10.0.1.2 -c 1")).toContain("0% lost");
    expect(ping(bench, "10.0.1.2 -s 65507 -c 1")).toContain("65515 bytes from 10.0.1.2");
  });

  it("is limited to one packet if it may not be fragmented", () => {
    const bench = makePair();
    expect(ping(bench, "10.0.1.2 -s 1472 -D -c 1")).toContain("1480 bytes from 10.0.1.2");
    expect(ping(bench, "10.0.1.2 -s 1473 -D -c 1")).toContain("seq=1 too big for Ethernet0, MTU 1500");
    expect(sentTo(bench, "10.0.1.2").map(({ dontFragment }) => dontFragment)).toEqual([true]);
  });

  it("is limited by the port's MTU for IPv6", () => {
    expect(ping(makePair(), "2001:db8:1::2 -s 1453 -c 1")).toContain("seq=1 too big for Ethernet0, MTU 1500");
  });

  it.each([
    ["10.9.0.77 -s 1400 -D", "from 10.0.1.2: seq=1 fragmentation needed, MTU 1300"],
    ["2001:db8:9::77 -s 1400", "from 2001:db8:1::2: seq=1 packet too big, MTU 1300"],
  ])("exceeds the MTU on the path of ping %s, which is reported", (args, line) => {
    expect(ping(makePair(), `${args} -c 1`)).toContain(line);
  });
});

describe("the source of a ping", () => {
  it("is the port's own address unless -S names another", () => {
    const bench = makePair();
    expect(ping(bench, "10.0.1.2 -c 1")).toContain("1 received");
    expect(ping(bench, "10.0.1.2 -c 1 -S 10.0.2.1")).toContain("1 received");
    expect(sentTo(bench, "10.0.1.2").map(({ source }) => source)).toEqual([ip("10.0.1.1"), ip("10.0.2.1")]);
  });

  it.each([
    ["10.0.1.2 -S 10.0.1.9", "10.0.1.9 is not an address of this router"],
    ["10.0.1.2 -S 2001:db8:1::1", "2001:db8:1::1 and 10.0.1.2 are of different families"],
    ["10.0.1.2 -S x", "x is not an IPv4 or IPv6 address"],
    ["10.0.1.2 -S", "-S needs a value: type help for what it is"],
  ])("is rejected in ping %s", (args, complaint) => {
    expect(ping(makePair(), args)).toContain(`\n${complaint}\n`);
  });
});

describe("a ping of link-local addresses", () => {
  it.each(["fe80::ff:fe00:200%Ethernet0", "fe80::ff:fe00:200%0", "fe80::ff:fe00:200 -I ethernet0"])(
    "leaves by the named port: %s",
    (target) => {
      const shown = ping(makePair(), `${target} -c 1`);
      expect(shown).toContain("PING fe80::ff:fe00:200%Ethernet0: 56 data bytes");
      expect(shown).toContain("64 bytes from fe80::ff:fe00:200: seq=1 ttl=255");
    },
  );

  it("reaches the router's own", () => {
    expect(ping(makePair(), "fe80::ff:fe00:100%0 -c 1")).toContain("64 bytes from fe80::ff:fe00:100: seq=1");
  });

  it("resolves an IPv4 address on the link, too", () => {
    const bed = makeBed();
    bed.bench.begin("R1", "ping 169.254.7.7%0 -c 1");
    bed.bench.run(100_000);
    const question = decodeArp(bed.a.received[0]!);
    expect(question).toMatchObject({ opcode: ARP_REQUEST, targetIp: ip("169.254.7.7") });
    const answer = {
      opcode: ARP_REPLY,
      senderMac: MAC_A,
      senderIp: ip("169.254.7.7"),
      targetMac: ROUTER_MAC,
      targetIp: ip("10.0.1.1"),
    };
    bed.a.send(encodeArp(ROUTER_MAC, MAC_A, answer));
    bed.bench.run(200_000);
    expect(bed.a.packets4.map(({ header }) => header.target)).toEqual([ip("169.254.7.7")]);
    replyFrom(bed, "169.254.7.7", 1);
    bed.bench.run();
    expect(bed.bench.transcript("R1")).toContain("64 bytes from 169.254.7.7: seq=1");
  });
});

describe("a ping of several hosts", () => {
  it.each([
    ["255.255.255.255%Ethernet0", "255.255.255.255"],
    ["10.0.1.255", "10.0.1.255"],
  ])("is a broadcast for %s, and counts each host that replies in time", (target, address) => {
    const bed = makeBed();
    bed.bench.begin("R1", `ping ${target} -c 2`);
    bed.bench.run(100_000);
    for (const host of ["10.0.1.10", "10.0.1.11", "10.0.1.12"]) replyFrom(bed, host, 1);
    bed.bench.run(2_500_000);
    const [first, ...others] = bed.a.packets4;
    expect(others).toHaveLength(1);
    expect(first!.header).toMatchObject({ source: ip("10.0.1.1"), target: ip(address) });
    expect(targetMac(first!.frame)).toBe(BROADCAST_MAC);
    const lines = bed.bench.transcript("R1").split("\n").slice(2);
    expect(lines.map((line) => line.replace(/ ttl.*/, ""))).toEqual([
      "64 bytes from 10.0.1.10: seq=1",
      "64 bytes from 10.0.1.11: seq=1",
      "64 bytes from 10.0.1.12: seq=1",
      "seq=2 no answer",
      "2 sent, 1 received, 50% lost, 3 hosts",
      expect.stringMatching(/^round trip/),
      "",
      "R1> ",
    ]);
  });

  it("is answered by the routers of a link if they are members of the group", () => {
    const shown = ping(makePair(), "ff02::2%Ethernet0 -c 2");
    expect(shown.match(/^64 bytes from fe80::ff:fe00:200: seq=\d/gm)).toHaveLength(2);
    expect(shown).toContain("2 sent, 2 received, 0% lost, 1 host");
  });
});

describe("the port of a ping", () => {
  it.each([
    ["fe80::1", "fe80::1 may be on any port: name one, as in fe80::1%Ethernet0"],
    ["255.255.255.255", "255.255.255.255 may be on any port: name one, as in 255.255.255.255%Ethernet0"],
    ["fe80::1%Ethernet9", "There is no port Ethernet9: show ip lists the ports"],
    ["fe80::1%1", "Ethernet1 has no IPv6 address"],
    ["255.255.255.255 -I 2", "Ethernet2 has no IPv4 address"],
    [
      "10.0.1.2%0",
      "10.0.1.2 is where the routes lead: a port is named for broadcast, multicast and link-local addresses",
    ],
    ["::1", "::1 cannot be probed: no host has this address"],
    ["127.0.0.1", "127.0.0.1 cannot be probed: no host has this address"],
    ["10.0.1.2 -s 65508", "-s takes a number from 0 to 65507"],
    ["10.0.1.2 --help", "--help is not an option here: type help for those that are"],
    ["10.0.1.2 constructor", "constructor is not an option here: type help for those that are"],
  ])("is required or rejected in ping %s", (args, complaint) => {
    expect(ping(makePair(), args)).toContain(`\n${complaint}\n`);
  });

  it("is rejected if it is shut down", () => {
    const bed = makeBed(TWO_SUBNETS);
    say(bed, "shutdown 0");
    expect(say(bed, "ping fe80::1%0")).toEqual(["Ethernet0 is shut down"]);
  });
});
