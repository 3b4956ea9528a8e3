import { readFileSync } from "node:fs";
import { concatBytes } from "@wirelab/engine/base/bytes";
import { DATA_LINK_TYPES, type DataLinkTypeName, readCapture } from "@wirelab/engine/pcap/index";
import { encodeArp } from "@wirelab/engine/wire/arp";
import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeEcho, encodeIcmp } from "@wirelab/engine/wire/icmp";
import { encodeIcmpv6, encodeNeighbour } from "@wirelab/engine/wire/icmpv6";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { encodeIpv6, encodeIpv6Checked } from "@wirelab/engine/wire/ipv6";
import { parseIpv6 } from "@wirelab/engine/wire/ipv6-address";
import { decodePacket } from "@wirelab/engine/wire/summary";
import { encodeUdp4 } from "@wirelab/engine/wire/udp";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DHCP_DISCOVER,
  encodeDhcp,
  numberOption,
  OPTION_HOST_NAME,
  OPTION_MESSAGE_TYPE,
  OPTION_REQUESTED_ADDRESS,
} from "../../../../../packages/engine/wire/dhcp.ts";
import {
  addressOption6,
  encodeDhcpv6,
  encodeIaNa,
  OPTION6_CLIENT_ID,
  OPTION6_IA_NA,
} from "../../../../../packages/engine/wire/dhcpv6.ts";
import { DNS_A, encodeDns, encodeDnsQuery } from "../../../../../packages/engine/wire/dns.ts";
import { encodeTcp4, TCP_ACK, TCP_SYN } from "../../../../../packages/engine/wire/tcp.ts";
import { hex } from "../../../../helpers/engine/pcap.ts";
import { isInstalled, linesOf } from "../../../../helpers/engine/programs.ts";

const A_MAC = 0x0050_7966_6800;
const B_MAC = 0x0050_7966_6801;
const A = 0x0a00_0001;
const B = 0x0a00_0002;
const A6 = parseIpv6("2001:db8::1")!;
const B6 = parseIpv6("2001:db8::2")!;

const decode = (data: Uint8Array, linkType: DataLinkTypeName = "DLT_EN10MB") =>
  decodePacket(data, data.length, linkType);
const ipv4 = (protocol: number, payload: Uint8Array, fields = {}) =>
  encodeEthernet(
    B_MAC,
    A_MAC,
    0x0800,
    encodeIpv4({ source: A, target: B, protocol, ...fields }, payload)[0]!,
  );
const udp = (sourcePort: number, targetPort: number, data: Uint8Array) =>
  ipv4(17, encodeUdp4(A, B, { sourcePort, targetPort, data }));
const icmpv6 = (message: Uint8Array, source = A6) =>
  encodeEthernet(
    B_MAC,
    A_MAC,
    0x86dd,
    encodeIpv6Checked({ source, target: B6, nextHeader: 58, hopLimit: 255 }, message),
  );
const text = (frame: Uint8Array, linkType?: DataLinkTypeName): string => {
  const { protocol, info } = decode(frame, linkType);
  return `${protocol}: ${info}`;
};

describe("a decoded packet", () => {
  test("has addresses, ports and lengths, of the network layer if there is one", () => {
    const frame = udp(1234, 7, new Uint8Array(20));
    expect(decodePacket(frame, 1000, "DLT_EN10MB")).toEqual({
      length: 1000,
      captured_length: 62,
      source: "10.0.0.1",
      target: "10.0.0.2",
      source_mac: "00:50:79:66:68:00",
      target_mac: "00:50:79:66:68:01",
      vlan: null,
      protocol: "UDP",
      source_port: 1234,
      target_port: 7,
      info: "1234 -> 7 len=20 [truncated]",
    });
  });

  test("has MACs as source and target if there is no network layer", () => {
    const { source, target, source_port } = decode(encodeEthernet(B_MAC, A_MAC, 0x1234, new Uint8Array(3)));
    expect([source, target, source_port]).toEqual(["00:50:79:66:68:00", "00:50:79:66:68:01", null]);
  });

  test("names the outermost VLAN and the payload", () => {
    const inner = udp(1, 2, new Uint8Array(0));
    const tags = hex("88a8 6064 8100 0007");
    const frame = concatBytes(inner.subarray(0, 12), tags, inner.subarray(12));
    expect(decode(frame)).toMatchObject({ vlan: 100, protocol: "UDP", source: "10.0.0.1" });
    expect(decode(frame.subarray(0, 16))).toMatchObject({
      vlan: null,
      protocol: "802.1Q",
      info: "malformed: 802.1Q tag takes 4 bytes, 2 are there",
    });
  });
});

const arp = { opcode: 1, senderMac: A_MAC, senderIp: A, targetMac: 0, targetIp: B };
const tcp = {
  sourcePort: 1234,
  targetPort: 7,
  sequence: 100,
  acknowledgement: 5,
  flags: TCP_SYN,
  window: 2920,
  options: new Uint8Array(4),
  data: new Uint8Array(3),
};
const discover = encodeDhcp({
  op: 1,
  xid: 0x1234,
  secs: 0,
  flags: 0,
  clientIp: 0,
  yourIp: 0,
  serverIp: 0,
  relayIp: 0,
  clientMac: A_MAC,
  options: [
    [OPTION_MESSAGE_TYPE, Uint8Array.of(DHCP_DISCOVER)],
    [OPTION_REQUESTED_ADDRESS, numberOption(A)],
    [OPTION_HOST_NAME, new TextEncoder().encode("PC 1")],
  ],
});
const OPTIONS6 = [
  [OPTION6_CLIENT_ID, hex("0003 0001 005079666800")],
  [OPTION6_IA_NA, encodeIaNa(1, 60, [addressOption6(B6, 60)])],
] as const;
const question = { name: "host.lab", type: DNS_A };
const response = {
  id: 7,
  response: true,
  recursionDesired: true,
  rcode: 0,
  questions: [question],
  answers: [{ type: DNS_A, name: "host.lab", address: B } as const],
};
/** A reply with an alias record: its name is a pointer to the question's name, and its target ends with that pointer. */
const compressed = hex(
  `0007 8180 0001 0001 0000 0000 04 686f7374 03 6c6162 00 0001 0001
  c00c 0005 0001 0000003c 0006 03 777777 c00c`.replace("0006", "0006"),
);

describe("the description of a packet", () => {
  test.each([
    ["ARP: Who has 10.0.0.2? Tell 10.0.0.1", encodeArp(B_MAC, A_MAC, arp, 60)],
    ["ARP: 10.0.0.1 is at 00:50:79:66:68:00", encodeArp(B_MAC, A_MAC, { ...arp, opcode: 2 })],
    ["ARP: Announces 10.0.0.1", encodeArp(B_MAC, A_MAC, { ...arp, targetIp: A })],
    ["ARP: Who has 10.0.0.2? (probe)", encodeArp(B_MAC, A_MAC, { ...arp, senderIp: 0 })],
    ["ICMP: Echo request id=0x5e07 seq=1 ttl=64", ipv4(1, encodeEcho(0x5e07, 1, new Uint8Array(56)))],
    ["ICMP: Echo reply id=0x0001 seq=2 ttl=9", ipv4(1, encodeIcmp(0, 0, 0x1_0002, tcp.data), { ttl: 9 })],
    ["ICMP: Time to live exceeded in transit ttl=64", ipv4(1, encodeIcmp(11, 0, 0, tcp.data))],
    ["ICMP: Port unreachable ttl=64", ipv4(1, encodeIcmp(3, 3, 0, tcp.data))],
    ["ICMP: Fragmentation needed, MTU 1400 ttl=64", ipv4(1, encodeIcmp(3, 4, 1400, tcp.data))],
    ["ICMP: Redirect to 10.0.0.2 ttl=64", ipv4(1, encodeIcmp(5, 1, B, tcp.data))],
    ["ICMP: type 200, code 1 ttl=64", ipv4(1, encodeIcmp(200, 1, 0, tcp.data))],
    ["TCP: SYN 1234 -> 7 seq=100 win=2920 len=3", ipv4(6, encodeTcp4(A, B, tcp))],
    [
      "TCP: SYN, ACK 1234 -> 7 seq=100 ack=5 win=2920 len=3",
      ipv4(6, encodeTcp4(A, B, { ...tcp, flags: TCP_SYN | TCP_ACK })),
    ],
    ["TCP: no flags 1234 -> 7 seq=100 win=2920 len=3", ipv4(6, encodeTcp4(A, B, { ...tcp, flags: 0 }))],
    ["UDP: 5 -> 6 len=1", udp(5, 6, Uint8Array.of(1))],
    [
      "DHCP: Discover asks for 10.0.0.1 client=00:50:79:66:68:00 name=PC?1 xid=0x00001234",
      udp(68, 67, discover),
    ],
    ["UDP: 68 -> 67 len=10", udp(68, 67, new Uint8Array(10))],
    ["DNS: query 0x0007 A host.lab", udp(999, 53, encodeDnsQuery(7, "host.lab", DNS_A)!)],
    ["DNS: response 0x0007 A host.lab: A 10.0.0.2", udp(53, 999, encodeDns(response))],
    ["DNS: response 0x0007 A host.lab: no answers", udp(53, 999, encodeDns({ ...response, answers: [] }))],
    [
      "DNS: response 0x0007 A host.lab: No such name",
      udp(53, 999, encodeDns({ ...response, rcode: 3, answers: [] })),
    ],
    ["DNS: response 0x0007 A host.lab: CNAME www.host.lab", udp(53, 999, compressed)],
    [
      "DHCPv6: Request 2001:db8::2 client=00:50:79:66:68:00 xid=0xabcdef",
      udp(546, 547, encodeDhcpv6({ type: 3, transaction: 0xabcdef, options: OPTIONS6 })),
    ],
    [
      "DHCPv6: message type 99 xid=0x000001",
      udp(546, 547, encodeDhcpv6({ type: 99, transaction: 1, options: [] })),
    ],
    ["UDP: 546 -> 547 len=9", udp(546, 547, hex("03abcdef 0001 000a 00"))],
    ["OSPF: malformed: OSPF header takes 24 bytes, 12 are there", ipv4(89, new Uint8Array(12), { ttl: 1 })],
    ["IPv4: protocol 200, 1 byte ttl=64", ipv4(200, new Uint8Array(1))],
    [
      "IPv4: Fragment of UDP id=0x0009 offset=0 len=16",
      ipv4(17, new Uint8Array(16), { id: 9, moreFragments: true }),
    ],
    [
      "IPv4: Last fragment of UDP id=0x0009 offset=16 len=4",
      ipv4(17, new Uint8Array(4), { id: 9, fragmentOffset: 16 }),
    ],
    ["ICMPv6: Echo request id=0x0001 seq=2 ttl=255", icmpv6(encodeIcmpv6(128, 0, 0x1_0002, tcp.data))],
    [
      "ICMPv6: Who has 2001:db8::2? Tell 2001:db8::1 ttl=255",
      icmpv6(encodeNeighbour({ type: 135, flags: 0, target: B6, mac: A_MAC })),
    ],
    [
      "ICMPv6: Who has 2001:db8::2? (probe) ttl=255",
      icmpv6(encodeNeighbour({ type: 135, flags: 0, target: B6, mac: undefined }), 0n),
    ],
    [
      "ICMPv6: 2001:db8::2 is at 00:50:79:66:68:01 ttl=255",
      icmpv6(encodeNeighbour({ type: 136, flags: 0, target: B6, mac: B_MAC })),
    ],
    ["ICMPv6: Hop limit exceeded in transit ttl=255", icmpv6(encodeIcmpv6(3, 0, 0, tcp.data))],
    ["ICMPv6: Packet too big, MTU 1280 ttl=255", icmpv6(encodeIcmpv6(2, 0, 1280, tcp.data))],
    ["ICMPv6: Router solicitation ttl=255", icmpv6(encodeIcmpv6(133, 0, 0, tcp.data))],
    [
      "STP: Root 32768/00:50:79:66:68:00 cost=4 port=0x8001",
      encodeEthernet(
        0x0180_c200_0000,
        A_MAC,
        38,
        hex(`4242 03 0000 00 00 00 8000 005079666800 00000004 8000 005079666801 8001 0000 1400 0200 0f00`),
      ),
    ],
    ["CDP: 2 bytes", encodeEthernet(1, A_MAC, 10, hex("aaaa03 00000c 2000 02b4"))],
    [
      "LLDP: malformed: LLDP takes 12 bytes, 2 are there",
      encodeEthernet(1, A_MAC, 0x88cc, new Uint8Array(2)),
    ],
    ["LLC: DSAP 0x06, SSAP 0x06, 1 byte", encodeEthernet(1, A_MAC, 4, hex("0606 03 00 0000"))],
    ["Ethernet: EtherType 0x1234, 46 bytes", encodeEthernet(1, A_MAC, 0x1234, new Uint8Array(46))],
  ])("%s", (expected, frame) => {
    expect(text(frame)).toBe(expected);
  });

  test("IPv6 is decoded behind its extension headers, fragments are reported", () => {
    const headers = hex("2c00 0000 0000 0000  11 00 0000 0000 0001");
    const datagram = hex("0005 0006 0008 0000");
    const packet = (payload: Uint8Array) =>
      encodeEthernet(B_MAC, A_MAC, 0x86dd, encodeIpv6({ source: A6, target: B6, nextHeader: 0 }, payload));
    expect(text(packet(concatBytes(headers, datagram)))).toBe("UDP: 5 -> 6 len=0");
    const fragment = headers.slice();
    fragment[11] = 0x09;
    expect(text(packet(concatBytes(fragment, datagram)))).toBe(
      "IPv6: Fragment of UDP id=0x00000001 offset=8 len=8",
    );
  });
});

describe("other link types", () => {
  const packet = encodeIpv4({ source: A, target: B, protocol: 1 }, encodeEcho(1, 1, new Uint8Array(4)))[0]!;
  const echo = "ICMP: Echo request id=0x0001 seq=1 ttl=64";
  test.each([
    ["DLT_C_HDLC", hex("0f00 0800"), echo],
    ["DLT_PPP_SERIAL", hex("ff03 0021"), echo],
    ["DLT_PPP_SERIAL", hex("0021"), echo],
    ["DLT_PPP_SERIAL", hex("0f00 0800"), echo],
    ["DLT_FRELAY", hex("1841 03 cc"), echo],
    ["DLT_FRELAY", hex("1841 0800"), echo],
    ["DLT_FRELAY", hex("1841 03 00 80 000000 0800"), echo],
    ["DLT_ATM_RFC1483", hex("aaaa03 000000 0800"), echo],
  ] as const)("%s carries IPv4 behind %j", (linkType, header, expected) => {
    const { source, source_mac } = decode(concatBytes(header, packet), linkType);
    expect([text(concatBytes(header, packet), linkType), source, source_mac]).toEqual([
      expected,
      "10.0.0.1",
      null,
    ]);
  });

  test.each([
    ["DLT_ATM_RFC1483", "aaaa03 0080c2 0007 0000"],
    ["DLT_FRELAY", "1841 03 00 80 0080c2 0007"],
  ] as const)("%s carries bridged Ethernet behind %j", (linkType, header) => {
    const frame = encodeEthernet(B_MAC, A_MAC, 0x0800, packet);
    const decoded = decode(concatBytes(hex(header), frame), linkType);
    expect(decoded).toMatchObject({
      info: "Echo request id=0x0001 seq=1 ttl=64",
      target_mac: "00:50:79:66:68:01",
    });
  });

  test.each([
    ["DLT_C_HDLC", "8f00 8035 00000002 00000001 00000001 ffff 0000", "SLARP: Keepalive"],
    ["DLT_PPP_SERIAL", "ff03 c021 09 05 0008 00000000", "LCP: Echo-Request id=5"],
    ["DLT_PPP_SERIAL", "ff03 1234 09", "PPP: protocol 0x1234, 1 byte"],
    ["DLT_FRELAY", "1841 03 cd", "Frame Relay: DLCI 100, NLPID 0xcd, 0 bytes"],
    ["DLT_FRELAY", "1840 0000 00", "Frame Relay: malformed: the Frame Relay address does not end"],
    ["DLT_ATM_RFC1483", "fefe03 83", "ATM: DSAP 0xfe, SSAP 0xfe, 1 byte"],
  ] as const)("%s: %s", (linkType, bytes, expected) => {
    expect(text(hex(bytes), linkType)).toBe(expected);
  });
});

describe("a truncated or malformed packet", () => {
  test.each([
    ["Ethernet: malformed: Ethernet header takes 14 bytes, 0 are there", new Uint8Array(0)],
    ["IPv4: malformed: IPv4 header takes 20 bytes, 3 are there", udp(1, 2, tcp.data).subarray(0, 17)],
    ["IPv4: malformed: IPv4 claims 31 bytes, 27 are there", udp(1, 2, tcp.data).subarray(0, 41)],
    ["IPv4: malformed: IP version 6", patch(udp(1, 2, tcp.data), 14, 0x65)],
    ["IPv4: malformed: IPv4 header of 16 bytes", patch(udp(1, 2, tcp.data), 14, 0x44)],
    ["UDP: malformed: UDP length 255 in 11 bytes", patch(udp(1, 2, tcp.data), 39, 255)],
    ["TCP: malformed: TCP header of 60 bytes in 27", patch(ipv4(6, encodeTcp4(A, B, tcp)), 46, 0xf0)],
    [
      "DNS: query 0x0007 malformed: the question does not end",
      udp(9, 53, hex("0007 0100 0001 0000 0000 0000 c00c")),
    ],
  ])("%s", (expected, frame) => {
    expect(text(frame)).toBe(expected);
  });

  test("is reported as truncated where the capture cut it", () => {
    const frame = ipv4(6, encodeTcp4(A, B, tcp));
    const describeFirst = (size: number) =>
      decodePacket(frame.subarray(0, size), frame.length, "DLT_EN10MB").info;
    expect(describeFirst(54)).toBe("SYN 1234 -> 7 seq=100 win=2920 len=3 [truncated]");
    expect(describeFirst(40)).toBe("TCP header takes 20 bytes, 6 are there [truncated]");
    expect(describeFirst(4)).toBe("Ethernet header takes 14 bytes, 4 are there [truncated]");
  });
});

function patch(frame: Uint8Array, at: number, value: number): Uint8Array {
  const copy = frame.slice();
  copy[at] = value;
  return copy;
}

const LAB = readCapture(readFileSync(new URL("../../../../fixtures/veth-lab.pcap", import.meta.url)));
const FRAMES = LAB.frames.map(({ data }) => data);
const linkTypes = fc.constantFrom(...DATA_LINK_TYPES.map(({ name }) => name));

describe("any bytes", () => {
  test("are described without throwing, for every link type", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(300), linkTypes, (data, more, linkType) => {
        const decoded = decodePacket(data, data.length + more, linkType);
        expect(decoded.protocol).not.toBe("");
        expect(decoded.info.endsWith("[truncated]")).toBe(more > 0);
      }),
      { numRuns: 3000 },
    );
  });

  test("of a damaged and truncated packet are described without throwing", () => {
    const damage = fc.array(fc.tuple(fc.nat(120), fc.nat(255)), { maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom(...FRAMES), damage, fc.nat(1600), (frame, changes, size) => {
        const data = frame.slice(0, size);
        for (const [at, value] of changes) if (at < data.length) data[at] = value;
        expect(decodePacket(data, frame.length, "DLT_EN10MB").protocol).not.toBe("");
      }),
      { numRuns: 3000 },
    );
  });
});

describe.skipIf(!isInstalled("tshark"))("tshark (skipped where it is not installed)", () => {
  test("names the same addresses, ports and protocols", () => {
    const path = new URL("../../../../fixtures/veth-lab.pcap", import.meta.url).pathname;
    const fields = ["_ws.col.Protocol", "_ws.col.Source", "_ws.col.Destination", "tcp.port", "udp.port"];
    const options = [
      "-n",
      "--disable-protocol",
      "http",
      "--disable-protocol",
      "syslog",
      "-T",
      "fields",
      ...fields.flatMap((field) => ["-e", field]),
    ];
    const rows = linesOf("tshark", ["-r", path, ...options]).map((line) => line.split("\t"));
    const ours = LAB.frames.map(({ data, originalLength }) =>
      decodePacket(data, originalLength, "DLT_EN10MB"),
    );
    expect(rows).toHaveLength(ours.length);
    for (const [index, row] of rows.entries()) {
      const { protocol, source, target, source_port, target_port } = ours[index]!;
      const ports = source_port === null ? "" : `${source_port},${target_port}`;
      const isTcp = protocol === "TCP";
      // tshark also shows the ports of the packet that an ICMP error quotes.
      const [tcpPorts, udpPorts] = protocol === "ICMP" ? ["", ""] : [row[3], row[4]];
      expect([index, protocol, source, target, isTcp ? ports : "", isTcp ? "" : ports]).toEqual([
        index,
        ...row.slice(0, 3),
        tcpPorts,
        udpPorts,
      ]);
    }
  });
});
