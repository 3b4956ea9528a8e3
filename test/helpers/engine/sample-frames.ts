/** A frame of each kind that devices of the engine send, made by their own encoders; hosts' reports of groups are written out. */
import { concatBytes } from "@wirelab/engine/base/bytes";
import { encodeArp } from "@wirelab/engine/wire/arp";
import { ETHERTYPE_IPV4, ETHERTYPE_IPV6, encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeGre, PROTOCOL_GRE } from "@wirelab/engine/wire/gre";
import * as icmp from "@wirelab/engine/wire/icmp";
import * as icmpv6 from "@wirelab/engine/wire/icmpv6";
import {
  encodeIpv4,
  type Ipv4Fields,
  PROTOCOL_ICMP,
  PROTOCOL_ICMPV6,
  PROTOCOL_TCP,
  PROTOCOL_UDP,
} from "@wirelab/engine/wire/ipv4";
import { encodeIpv6, encodeIpv6Checked, type Ipv6Fields } from "@wirelab/engine/wire/ipv6";
import { parseIpv6, writeIpv6 } from "@wirelab/engine/wire/ipv6-address";
import { encodeUdp4 } from "@wirelab/engine/wire/udp";
import { encodeVxlan } from "@wirelab/engine/wire/vxlan";
import { checksum } from "../../../packages/engine/base/checksum.ts";
import { withAgentOption } from "../../../packages/engine/devices/router/services/dhcp-relay/edit-message.ts";
import { encodeBpdu } from "../../../packages/engine/net/bridge/rstp/bpdu.ts";
import { BFD_PORT, BFD_SOURCE_PORT, encodeBfd } from "../../../packages/engine/wire/bfd.ts";
import {
  DHCP_ACK,
  DHCP_DISCOVER,
  encodeDhcp,
  numberOption,
  OPTION_CLIENT_ID,
  OPTION_DNS,
  OPTION_DOMAIN,
  OPTION_HOST_NAME,
  OPTION_LEASE_TIME,
  OPTION_MESSAGE_TYPE,
  OPTION_PARAMETERS,
  OPTION_REBINDING_TIME,
  OPTION_RENEWAL_TIME,
  OPTION_REQUESTED_ADDRESS,
  OPTION_ROUTER,
  OPTION_SERVER,
  OPTION_SUBNET_MASK,
} from "../../../packages/engine/wire/dhcp.ts";
import * as dhcpv6 from "../../../packages/engine/wire/dhcpv6.ts";
import { DNS_A, DNS_AAAA, DNS_CNAME, encodeDns, encodeDnsQuery } from "../../../packages/engine/wire/dns.ts";
import { encodeIgmpQuery, PROTOCOL_IGMP } from "../../../packages/engine/wire/igmp.ts";
import { fragmentIpv6 } from "../../../packages/engine/wire/ipv6-fragment.ts";
import { encodeLacp } from "../../../packages/engine/wire/lacp.ts";
import { encodeLldp } from "../../../packages/engine/wire/lldp.ts";
import { encodeMldQuery } from "../../../packages/engine/wire/mld.ts";
import { ALL_SPF_ROUTERS, PROTOCOL_OSPF } from "../../../packages/engine/wire/ospf.ts";
import { encodeRip } from "../../../packages/engine/wire/rip.ts";
import { addDigest, addPassword } from "../../../packages/engine/wire/rip-authentication.ts";
import { encodeTcp4, TCP_ACK, TCP_PSH, TCP_SYN } from "../../../packages/engine/wire/tcp.ts";
import {
  encodeVrrp4,
  encodeVrrp6,
  PROTOCOL_VRRP,
  VRRP_GROUP_IPV4,
  VRRP_GROUP_IPV6,
} from "../../../packages/engine/wire/vrrp.ts";
import { BGP_SEGMENTS } from "./bgp-samples.ts";
import { OSPF_PACKETS } from "./ospf-samples.ts";
import { hex } from "./pcap.ts";

const [A_MAC, B_MAC] = [0x0050_7966_6800, 0x0050_7966_6801];
const [A, B] = [0x0a00_0001, 0x0a00_0002];
const [A6, B6] = [parseIpv6("fe80::1")!, parseIpv6("2001:db8::2")!];
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

const packet4 = (protocol: number, payload: Uint8Array, fields: Partial<Ipv4Fields> = {}): Uint8Array =>
  encodeIpv4({ source: A, target: B, protocol, ...fields }, payload)[0]!;
const ip4 = (protocol: number, payload: Uint8Array, fields: Partial<Ipv4Fields> = {}): Uint8Array =>
  encodeEthernet(B_MAC, A_MAC, ETHERTYPE_IPV4, packet4(protocol, payload, fields));
const frame6 = (packet: Uint8Array): Uint8Array => encodeEthernet(B_MAC, A_MAC, ETHERTYPE_IPV6, packet);
const ip6 = (
  message: Uint8Array,
  nextHeader = PROTOCOL_ICMPV6,
  fields: Partial<Ipv6Fields> = {},
): Uint8Array =>
  frame6(encodeIpv6Checked({ source: A6, target: B6, nextHeader, hopLimit: 255, ...fields }, message));
const udp4 = (sourcePort: number, targetPort: number, data: Uint8Array): Uint8Array =>
  ip4(PROTOCOL_UDP, encodeUdp4(A, B, { sourcePort, targetPort, data }));
const udp6 = (sourcePort: number, targetPort: number, data: Uint8Array): Uint8Array =>
  ip6(encodeUdp4(0, 0, { sourcePort, targetPort, data }), PROTOCOL_UDP);
const tag = (type: number, vlan: number, frame: Uint8Array): Uint8Array =>
  concatBytes(
    frame.subarray(0, 12),
    Uint8Array.of(type >> 8, type & 255, 0x60 | (vlan >> 8), vlan & 255),
    frame.subarray(12),
  );

const echo4 = packet4(PROTOCOL_ICMP, icmp.encodeEcho(0x5e07, 1, new Uint8Array(8)));
const echo6 = encodeIpv6Checked(
  { source: A6, target: B6, nextHeader: PROTOCOL_ICMPV6 },
  icmpv6.encodeIcmpv6(icmpv6.ICMPV6_ECHO, 0, 0x1_0002, new Uint8Array(8)),
);
const quoted4 = packet4(
  PROTOCOL_UDP,
  encodeUdp4(A, B, { sourcePort: 4000, targetPort: 9, data: new Uint8Array(40) }),
);

const dhcp = (op: number, options: readonly (readonly [number, Uint8Array])[]): Uint8Array =>
  encodeDhcp({
    op,
    xid: 0x1234,
    secs: 3,
    flags: 0x8000,
    clientIp: 0,
    yourIp: op === 2 ? B : 0,
    serverIp: 0,
    relayIp: 0,
    clientMac: A_MAC,
    options,
  });
const discover = dhcp(1, [
  [OPTION_MESSAGE_TYPE, Uint8Array.of(DHCP_DISCOVER)],
  [OPTION_CLIENT_ID, hex("01 005079666800")],
  [OPTION_REQUESTED_ADDRESS, numberOption(A)],
  [OPTION_HOST_NAME, text("PC1")],
  [OPTION_PARAMETERS, Uint8Array.of(1, 3, 6, 15)],
]);
const ack = dhcp(2, [
  [OPTION_MESSAGE_TYPE, Uint8Array.of(DHCP_ACK)],
  [OPTION_SERVER, numberOption(A)],
  [OPTION_LEASE_TIME, numberOption(3600)],
  [OPTION_RENEWAL_TIME, numberOption(1800)],
  [OPTION_REBINDING_TIME, numberOption(3150)],
  [OPTION_SUBNET_MASK, numberOption(0xffff_ff00)],
  [OPTION_ROUTER, numberOption(A)],
  [OPTION_DNS, numberOption(A, B)],
  [OPTION_DOMAIN, text("lab")],
]);
const solicit = dhcpv6.encodeDhcpv6({
  type: dhcpv6.DHCPV6_SOLICIT,
  transaction: 0xabcdef,
  options: [
    [dhcpv6.OPTION6_CLIENT_ID, hex("0003 0001 005079666800")],
    [dhcpv6.OPTION6_IA_NA, dhcpv6.encodeIaNa(1, 0, [])],
    [dhcpv6.OPTION6_REQUESTED, hex("0017 0018")],
    [8, hex("0064")],
    [dhcpv6.OPTION6_RAPID_COMMIT, new Uint8Array(0)],
  ],
});
const reply = dhcpv6.encodeDhcpv6({
  type: dhcpv6.DHCPV6_REPLY,
  transaction: 0xabcdef,
  options: [
    [dhcpv6.OPTION6_SERVER_ID, hex("0003 0001 005079666801")],
    [
      dhcpv6.OPTION6_IA_NA,
      dhcpv6.encodeIaNa(1, 3600, [
        dhcpv6.addressOption6(B6, 3600),
        dhcpv6.statusOption6(dhcpv6.STATUS_SUCCESS, "ok"),
      ]),
    ],
    [dhcpv6.OPTION6_DNS, hex("20010db8000000000000000000000053")],
    [dhcpv6.OPTION6_DOMAINS, hex("036c616200")],
  ],
});
const question = { name: "host.lab", type: DNS_A };
const answers = encodeDns({
  id: 7,
  response: true,
  recursionDesired: true,
  rcode: 0,
  questions: [question],
  answers: [
    { type: DNS_CNAME, name: "host.lab", canonical: "www.lab" },
    { type: DNS_A, name: "www.lab", address: B },
    { type: DNS_AAAA, name: "www.lab", address: B6 },
  ],
});
const route = { family: 2, tag: 7, network: 0x0a01_0000, mask: 0xffff_0000, nextHop: A, metric: 3 };
const rip = encodeRip({ command: 2, version: 2, entries: [route, { ...route, metric: 16 }] });
const end = { systemPriority: 32768, system: A_MAC, key: 1, portPriority: 128, port: 2, state: 0x3d };
const marker = (type: number): Uint8Array =>
  encodeEthernet(
    0x0180_c200_0002,
    A_MAC,
    0x8809,
    concatBytes(Uint8Array.of(2, 1, type, 16), hex("0002 005079666800 00000009 0000"), new Uint8Array(92)),
  );
const lldp = { mac: A_MAC, portName: "Ethernet0", ttl: 120, portDescription: "to SW2", systemName: "SW1" };
const bpdu = {
  vector: {
    root: { priority: 4096, mac: A_MAC },
    cost: 4,
    bridge: { priority: 32768, mac: B_MAC },
    port: 0x8001,
  },
  times: { messageAge: 1, maxAge: 20, helloTime: 2, forwardDelay: 15 },
  role: "designated",
  topologyChange: true,
  topologyChangeAck: false,
  proposal: true,
  agreement: false,
  learning: true,
  forwarding: false,
} as const;
const withSum = (message: Uint8Array): Uint8Array => {
  const sum = checksum(message);
  return concatBytes(message.subarray(0, 2), Uint8Array.of(sum >> 8, sum & 255), message.subarray(4));
};
/** An ICMPv6 message behind a router alert. */
const alerted6 = (message: Uint8Array): Uint8Array => {
  const whole = encodeIpv6Checked(
    { source: A6, target: B6, nextHeader: PROTOCOL_ICMPV6, hopLimit: 1 },
    message,
  );
  const packet = concatBytes(whole.subarray(0, 40), hex("3a00 0502 0000 0100"), whole.subarray(40));
  packet[6] = 0;
  packet[5] = packet[5]! + 8;
  return frame6(packet);
};
const group6 = (): Uint8Array => {
  const bytes = new Uint8Array(16);
  writeIpv6(bytes, 0, parseIpv6("ff05::1234")!);
  return bytes;
};
const advertisement = concatBytes(
  new Uint8Array(8),
  concatBytes(hex("03 04 40 c0 00278d00 00093a80 00000000"), hex("20010db8000000000000000000000000")),
  hex("01 01 005079666800"),
  hex("05 01 0000 00000578"),
);
const tcp = {
  sourcePort: 49152,
  targetPort: 80,
  sequence: 1000,
  acknowledgement: 0,
  flags: TCP_SYN,
  window: 65_535,
  options: hex("0204 05b4 0402 080a 00000001 00000000 01 0303 07"),
  data: new Uint8Array(0),
};
const vxlan = encodeVxlan({ vni: 10, frame: encodeEthernet(4, 2, ETHERTYPE_IPV4, echo4) });
const greChecked = concatBytes(hex("b000 0800 0000 0000 00000007 00000009"), echo4);

const NTP_REQUEST = concatBytes(hex("23 00 06 ec"), new Uint8Array(36), hex("ee000000 80000000"));

const NTP_TIME = "ee000001 40000000";
const NTP_ANSWER = hex(
  `24 01 06 ec 00000000 00000000 4c4f434c ${NTP_TIME} ee000000 80000000 ${NTP_TIME} ${NTP_TIME}`,
);

/** Kinds of frames by protocol. */
export const SAMPLE_FRAMES: Readonly<Record<string, readonly Uint8Array[]>> = {
  Ethernet: [encodeEthernet(B_MAC, A_MAC, 0x1234, new Uint8Array(46))],
  "802.1Q": [
    tag(0x8100, 100, ip4(PROTOCOL_ICMP, echo4.subarray(20))),
    tag(0x88a8, 7, tag(0x8100, 100, ip4(PROTOCOL_ICMP, echo4.subarray(20)))),
  ],
  ARP: [1, 2].map((opcode) =>
    encodeArp(B_MAC, A_MAC, { opcode, senderMac: A_MAC, senderIp: A, targetMac: 0, targetIp: B }, 60),
  ),
  IPv4: encodeIpv4(
    { source: A, target: B, protocol: PROTOCOL_UDP, id: 9, typeOfService: 0xb9 },
    encodeUdp4(A, B, { sourcePort: 4000, targetPort: 9, data: new Uint8Array(40) }),
    44,
  ).map((packet) => encodeEthernet(B_MAC, A_MAC, ETHERTYPE_IPV4, packet)),
  IPv6: fragmentIpv6(
    encodeIpv6Checked(
      { source: A6, target: B6, nextHeader: PROTOCOL_UDP, trafficClass: 0xb9 },
      encodeUdp4(0, 0, { sourcePort: 4000, targetPort: 9, data: new Uint8Array(92) }),
    ),
    5,
    104,
  ).map(frame6),
  ICMP: [
    ip4(PROTOCOL_ICMP, icmp.encodeEcho(0x5e07, 1, new Uint8Array(8))),
    ip4(PROTOCOL_ICMP, icmp.encodeIcmp(icmp.ICMP_ECHO_REPLY, 0, 0x1_0002, new Uint8Array(8))),
    ip4(
      PROTOCOL_ICMP,
      icmp.encodeIcmp(icmp.ICMP_UNREACHABLE, icmp.UNREACHABLE_PORT, 0, quoted4.subarray(0, 28)),
    ),
    ip4(
      PROTOCOL_ICMP,
      icmp.encodeIcmp(icmp.ICMP_UNREACHABLE, icmp.FRAGMENTATION_NEEDED, 1400, quoted4.subarray(0, 28)),
    ),
    ip4(PROTOCOL_ICMP, icmp.encodeIcmp(icmp.ICMP_TIME_EXCEEDED, 0, 0, quoted4.subarray(0, 28))),
    ip4(PROTOCOL_ICMP, icmp.encodeIcmp(icmp.ICMP_REDIRECT, 1, B, echo4.subarray(0, 28))),
  ],
  ICMPv6: [
    frame6(echo6),
    ip6(icmpv6.encodeNeighbour({ type: 135, flags: 0, target: B6, mac: A_MAC })),
    ip6(icmpv6.encodeNeighbour({ type: 136, flags: 0xe000_0000, target: B6, mac: B_MAC })),
    ip6(icmpv6.encodeIcmpv6(icmpv6.ROUTER_SOLICITATION, 0, 0, hex("01 01 005079666800"))),
    ip6(icmpv6.encodeIcmpv6(icmpv6.ROUTER_ADVERTISEMENT, 0, 0x40c0_0708, advertisement)),
    ip6(icmpv6.encodeIcmpv6(icmpv6.ICMPV6_TOO_BIG, 0, 1280, echo6)),
    ip6(icmpv6.encodeIcmpv6(icmpv6.ICMPV6_UNREACHABLE, 4, 0, echo6)),
    ip6(icmpv6.encodeIcmpv6(icmpv6.ICMPV6_TIME_EXCEEDED, 0, 0, echo6)),
  ],
  IGMP: [
    encodeIgmpQuery({ version: 2, group: 0, maxResponseUs: 10_000_000, address: A, interval: 125 }, A_MAC),
    encodeIgmpQuery(
      { version: 3, group: 0xe100_0001, maxResponseUs: 10_000_000, address: A, interval: 125 },
      A_MAC,
    ),
    ip4(PROTOCOL_IGMP, withSum(hex("16 00 0000 e1000001")), { ttl: 1 }),
    ip4(PROTOCOL_IGMP, withSum(hex("22 00 0000 0000 0001 03 00 0001 e1000001 0a000009")), { ttl: 1 }),
  ],
  MLD: [
    encodeMldQuery({ version: 1, group: 0n, maxResponseUs: 10_000_000, address: A6, interval: 125 }, A_MAC),
    encodeMldQuery({ version: 2, group: 0n, maxResponseUs: 10_000_000, address: A6, interval: 125 }, A_MAC),
    alerted6(concatBytes(hex("83 00 0000 0000 0000"), group6())),
    alerted6(
      concatBytes(hex("8f 00 0000 0000 0001 04 00 0001"), group6(), hex("20010db8000000000000000000000009")),
    ),
  ],
  UDP: [udp4(5000, 7, new Uint8Array(8))],
  TCP: [
    ip4(PROTOCOL_TCP, encodeTcp4(A, B, tcp)),
    ip4(
      PROTOCOL_TCP,
      encodeTcp4(A, B, {
        ...tcp,
        targetPort: 5001,
        flags: TCP_ACK,
        acknowledgement: 9,
        options: hex("0101 050a 00000001 00000009"),
        data: new Uint8Array(4),
      }),
    ),
  ],
  DHCP: [udp4(68, 67, discover), udp4(67, 67, withAgentOption(discover, "Ethernet0")), udp4(67, 68, ack)],
  DHCPv6: [udp6(546, 547, solicit), udp6(547, 546, reply)],
  DNS: [udp4(999, 53, encodeDnsQuery(7, "host.lab", DNS_A)!), udp4(53, 999, answers)],
  NTP: [udp4(40_000, 123, NTP_REQUEST), udp4(123, 40_000, NTP_ANSWER)],
  Syslog: [
    udp4(514, 514, text("<189>1 2026-01-01T00:00:00.000125Z R1 router - LINK_DOWN - Ethernet0 is down")),
  ],
  RIP: [
    udp4(
      520,
      520,
      encodeRip({
        command: 1,
        version: 2,
        entries: [{ family: 0, tag: 0, network: 0, mask: 0, nextHop: 0, metric: 16 }],
      }),
    ),
    udp4(520, 520, rip),
    udp4(520, 520, addPassword(rip, text("secret"))),
    udp4(520, 520, addDigest(rip, "md5", { id: 1, key: text("secret") }, 9)),
  ],
  BFD: [
    udp4(
      BFD_SOURCE_PORT,
      BFD_PORT,
      encodeBfd({
        diagnostic: 3,
        state: "init",
        isPoll: true,
        isFinal: false,
        isDemand: false,
        multiplier: 3,
        mine: 7,
        yours: 9,
        desiredTxUs: 300_000,
        requiredRxUs: 50_000,
      }),
    ),
  ],
  OSPF: OSPF_PACKETS.map((packet) => ip4(PROTOCOL_OSPF, packet, { target: ALL_SPF_ROUTERS, ttl: 1 })),
  BGP: BGP_SEGMENTS.map((data) =>
    ip4(PROTOCOL_TCP, encodeTcp4(A, B, { ...tcp, targetPort: 179, flags: TCP_ACK | TCP_PSH, data }), {
      ttl: 1,
    }),
  ),
  VRRP: [
    ip4(PROTOCOL_VRRP, encodeVrrp4({ id: 7, priority: 120, intervalCs: 100 }, [0x0a00_00fe], A), {
      target: VRRP_GROUP_IPV4,
      ttl: 255,
    }),
    frame6(
      encodeIpv6(
        { source: A6, target: VRRP_GROUP_IPV6, nextHeader: PROTOCOL_VRRP, hopLimit: 255 },
        encodeVrrp6({ id: 8, priority: 255, intervalCs: 100 }, [A6], A6),
      ),
    ),
  ],
  GRE: [
    ip4(PROTOCOL_GRE, encodeGre({ etherType: ETHERTYPE_IPV4, key: undefined, payload: echo4 })),
    ip4(PROTOCOL_GRE, encodeGre({ etherType: ETHERTYPE_IPV6, key: 7, payload: echo6 })),
    ip4(PROTOCOL_GRE, greChecked),
  ],
  VXLAN: [udp4(50_000, 4_789, vxlan)],
  LLDP: [encodeLldp(lldp, A_MAC)],
  LACP: [encodeLacp({ actor: end, partner: { ...end, port: 9, state: 0x0d } }, A_MAC), marker(1), marker(2)],
  "Spanning tree": [
    encodeBpdu({ kind: "rst", ...bpdu }, A_MAC),
    encodeBpdu({ kind: "config", ...bpdu, proposal: false, learning: false }, A_MAC),
    encodeBpdu({ kind: "tcn" }, A_MAC),
  ],
};
