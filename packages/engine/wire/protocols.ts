/** The registry of protocols: by the link type of a capture, and by the numbers with which headers name what follows them. */
import type { DataLinkTypeName } from "../pcap/index.ts";
import { ARP } from "./arp.ts";
import { BFD, BFD_MULTIHOP_PORT, BFD_PORT } from "./bfd.ts";
import { BGP_PORT } from "./bgp.ts";
import { BGP_4 } from "./bgp-table.ts";
import { DHCP, DHCP_CLIENT_PORT, DHCP_SERVER_PORT } from "./dhcp.ts";
import { DHCPV6, DHCPV6_CLIENT_PORT, DHCPV6_SERVER_PORT } from "./dhcpv6.ts";
import { DNS_PORT } from "./dns.ts";
import { DNS } from "./dns-table.ts";
import {
  ETHERNET,
  ETHERTYPE_ARP,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  ETHERTYPE_IPX,
  ETHERTYPE_LOOPBACK,
  ETHERTYPE_MPLS,
  ETHERTYPE_NONE,
  ETHERTYPE_OLD_QINQ,
  ETHERTYPE_OLDER_QINQ,
  ETHERTYPE_PPPOE_DISCOVERY,
  ETHERTYPE_PPPOE_SESSION,
  ETHERTYPE_QINQ,
  ETHERTYPE_RARP,
  ETHERTYPE_VLAN,
} from "./ethernet.ts";
import { GRE, PROTOCOL_GRE } from "./gre.ts";
import { ICMP } from "./icmp.ts";
import { ICMPV6 } from "./icmpv6.ts";
import { IGMP, PROTOCOL_IGMP } from "./igmp.ts";
import {
  IPV4,
  PROTOCOL_AH,
  PROTOCOL_ESP,
  PROTOCOL_ICMP,
  PROTOCOL_ICMPV6,
  PROTOCOL_IPV4,
  PROTOCOL_IPV6,
  PROTOCOL_PIM,
  PROTOCOL_SCTP,
  PROTOCOL_TCP,
  PROTOCOL_UDP,
} from "./ipv4.ts";
import { IPV6 } from "./ipv6.ts";
import {
  AUTHENTICATION,
  DESTINATION_OPTIONS,
  HOP_BY_HOP_OPTIONS,
  IPV6_FRAGMENT,
  MOBILITY,
  ROUTING,
} from "./ipv6-extensions.ts";
import { PROTOCOL_IPV6_FRAGMENT } from "./ipv6-fragment.ts";
import { ETHERTYPE_SLOW, SLOW_PROTOCOLS } from "./lacp.ts";
import { LLC, SAP_RAW_IPX, SAP_SNAP, SAP_SPANNING_TREE, SNAP, STP } from "./llc.ts";
import { ETHERTYPE_LLDP, LLDP } from "./lldp.ts";
import { NTP, NTP_PORT } from "./ntp.ts";
import { PROTOCOL_OSPF } from "./ospf.ts";
import { OSPF_V2 } from "./ospf-table.ts";
import { named, type Protocol, type TableName } from "./protocol.ts";
import { RIP, RIP_PORT } from "./rip.ts";
import { ATM, CISCO_HDLC, FRAME_RELAY, PPP, pppControl } from "./serial.ts";
import { SYSLOG, SYSLOG_PORT } from "./syslog.ts";
import { TCP } from "./tcp.ts";
import { UDP } from "./udp.ts";
import { VLAN_TAG } from "./vlan-tag.ts";
import { PROTOCOL_VRRP, VRRP } from "./vrrp.ts";
import { VXLAN, VXLAN_PORT } from "./vxlan.ts";

export const LINKS: Readonly<Record<DataLinkTypeName, Protocol>> = {
  DLT_EN10MB: ETHERNET,
  DLT_C_HDLC: CISCO_HDLC,
  DLT_PPP_SERIAL: PPP,
  DLT_FRELAY: FRAME_RELAY,
  DLT_ATM_RFC1483: ATM,
};

/** A packet in a packet, without a header between them. */
const tunnel = (name: string, to: Protocol): Protocol => ({
  ...named(name),
  next: ({ at }) => ({ to, at, isInside: true }),
});

type Table = ReadonlyMap<number, Protocol>;

const ETHERTYPES: Table = new Map<number, Protocol>([
  [ETHERTYPE_NONE, LLC],
  [ETHERTYPE_IPV4, IPV4],
  [ETHERTYPE_ARP, ARP],
  [ETHERTYPE_IPV6, IPV6],
  [ETHERTYPE_VLAN, VLAN_TAG],
  [ETHERTYPE_QINQ, { ...VLAN_TAG, title: "802.1ad" }],
  [ETHERTYPE_OLD_QINQ, VLAN_TAG],
  [ETHERTYPE_OLDER_QINQ, VLAN_TAG],
  [ETHERTYPE_SLOW, SLOW_PROTOCOLS],
  [ETHERTYPE_LLDP, LLDP],
  [0x0842, named("WoL")],
  [ETHERTYPE_RARP, named("RARP")],
  [ETHERTYPE_IPX, named("IPX")],
  [ETHERTYPE_MPLS, named("MPLS")],
  [ETHERTYPE_PPPOE_DISCOVERY, named("PPPoED")],
  [ETHERTYPE_PPPOE_SESSION, named("PPPoES")],
  [0x888e, named("EAPOL")],
  [0x88e5, named("MACsec")],
  [ETHERTYPE_LOOPBACK, named("Loopback")],
]);

/** Protocol numbers of IANA. */
const IP_PROTOCOLS: Table = new Map<number, Protocol>([
  [PROTOCOL_ICMP, ICMP],
  [PROTOCOL_IGMP, IGMP],
  [PROTOCOL_IPV4, tunnel("IPv4 in IP", IPV4)],
  [PROTOCOL_TCP, TCP],
  [8, named("EGP")],
  [PROTOCOL_UDP, UDP],
  [PROTOCOL_IPV6, tunnel("IPv6 in IP", IPV6)],
  [46, named("RSVP")],
  [PROTOCOL_GRE, GRE],
  [PROTOCOL_ESP, named("ESP")],
  [PROTOCOL_AH, named("AH")],
  [PROTOCOL_ICMPV6, ICMPV6],
  [88, named("EIGRP")],
  [PROTOCOL_OSPF, OSPF_V2],
  [PROTOCOL_PIM, named("PIM")],
  [PROTOCOL_VRRP, VRRP],
  [115, named("L2TP")],
  [PROTOCOL_SCTP, named("SCTP")],
]);

/** Next headers of IPv6: the extensions, and the protocols. */
const NEXT_HEADERS: Table = new Map<number, Protocol>([
  ...IP_PROTOCOLS,
  [0, HOP_BY_HOP_OPTIONS],
  [43, ROUTING],
  [PROTOCOL_IPV6_FRAGMENT, IPV6_FRAGMENT],
  [PROTOCOL_AH, AUTHENTICATION],
  [60, DESTINATION_OPTIONS],
  [135, MOBILITY],
]);

const PORTS: Table = new Map<number, Protocol>([
  [DNS_PORT, DNS],
  [DHCP_SERVER_PORT, DHCP],
  [DHCP_CLIENT_PORT, DHCP],
  [NTP_PORT, NTP],
  [SYSLOG_PORT, SYSLOG],
  [RIP_PORT, RIP],
  [DHCPV6_CLIENT_PORT, DHCPV6],
  [DHCPV6_SERVER_PORT, DHCPV6],
  [VXLAN_PORT, VXLAN],
  [BFD_PORT, BFD],
  [BFD_MULTIHOP_PORT, BFD],
  [5353, { ...DNS, name: "MDNS" }],
]);

/** TCP has the same names, and protocols of its own. */
const TCP_PORTS: Table = new Map<number, Protocol>([...PORTS, [BGP_PORT, BGP_4]]);

const SERVICE_ACCESS_POINTS: Table = new Map<number, Protocol>([
  [SAP_SPANNING_TREE, STP],
  [SAP_SNAP, SNAP],
  [SAP_RAW_IPX, named("IPX")],
]);

/** Types of Cisco's organisation. */
const CISCO: Table = new Map<number, Protocol>([
  [0x010b, named("PVST+")],
  [0x0111, named("UDLD")],
  [0x2000, named("CDP")],
  [0x2003, named("VTP")],
  [0x2004, named("DTP")],
]);

const PPP_PROTOCOLS: Table = new Map<number, Protocol>([
  [0x0021, IPV4],
  [0x0057, IPV6],
  [0x8021, pppControl("IPCP")],
  [0x8057, pppControl("IPV6CP")],
  [0x8207, pppControl("CDPCP")],
  [0xc021, pppControl("LCP")],
  [0xc023, pppControl("PAP", {})],
  [0xc025, pppControl("LQR", {})],
  [0xc223, pppControl("CHAP", {})],
]);

const TABLES: Readonly<Record<TableName, Table>> = {
  ethertype: ETHERTYPES,
  ip: IP_PROTOCOLS,
  ip6: NEXT_HEADERS,
  port: PORTS,
  tcp: TCP_PORTS,
  llc: SERVICE_ACCESS_POINTS,
  snap: CISCO,
  ppp: PPP_PROTOCOLS,
};

/** Returns the protocol of the first number that a table has. */
export const protocolOf = (table: TableName, ...numbers: readonly number[]): Protocol | undefined =>
  numbers.map((number) => TABLES[table].get(number)).find((protocol) => protocol !== undefined);
