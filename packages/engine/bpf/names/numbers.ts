/** Protocol numbers that lowering compares with. Sources: IANA protocol numbers and IEEE 802 numbers; RFC 1700; ISO 8473. */

import {
  ETHERTYPE_ARP,
  ETHERTYPE_BRIDGED,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  ETHERTYPE_IPX,
  ETHERTYPE_LOOPBACK,
  ETHERTYPE_MPLS,
  ETHERTYPE_OLD_QINQ,
  ETHERTYPE_PPPOE_DISCOVERY,
  ETHERTYPE_PPPOE_SESSION,
  ETHERTYPE_QINQ,
  ETHERTYPE_RARP,
  ETHERTYPE_VLAN,
} from "../../wire/ethernet.ts";
import { PROTOCOL_IGMP } from "../../wire/igmp.ts";
import {
  PROTOCOL_AH,
  PROTOCOL_ESP,
  PROTOCOL_ICMP,
  PROTOCOL_ICMPV6,
  PROTOCOL_PIM,
  PROTOCOL_SCTP,
  PROTOCOL_TCP,
  PROTOCOL_UDP,
} from "../../wire/ipv4.ts";
import { PROTOCOL_IPV6_FRAGMENT } from "../../wire/ipv6-fragment.ts";
import { PROTOCOL_VRRP } from "../../wire/vrrp.ts";

/** A type field above this is an EtherType; otherwise it is an 802.3 length, and an 802.2 header follows. */
export const MAX_8023_LENGTH = 1500;

export const ETHERTYPE = {
  xns: 0x0600,
  ip: ETHERTYPE_IPV4,
  arp: ETHERTYPE_ARP,
  mopdl: 0x6001,
  moprc: 0x6002,
  decnet: 0x6003,
  lat: 0x6004,
  sca: 0x6007,
  transparentEthernet: ETHERTYPE_BRIDGED,
  rarp: ETHERTYPE_RARP,
  atalk: 0x809b,
  aarp: 0x80f3,
  vlan: ETHERTYPE_VLAN,
  ipx: ETHERTYPE_IPX,
  ip6: ETHERTYPE_IPV6,
  mpls: ETHERTYPE_MPLS,
  pppoeDiscovery: ETHERTYPE_PPPOE_DISCOVERY,
  pppoeSession: ETHERTYPE_PPPOE_SESSION,
  serviceVlan: ETHERTYPE_QINQ,
  loopback: ETHERTYPE_LOOPBACK,
  oldServiceVlan: ETHERTYPE_OLD_QINQ,
} as const;

/** 802.2 service access points. */
export const SAP = { ip: 0x06, bridge: 0x42, snap: 0xaa, ipx: 0xe0, netbeui: 0xf0, iso: 0xfe } as const;

export const IP_PROTOCOL = {
  icmp: PROTOCOL_ICMP,
  igmp: PROTOCOL_IGMP,
  tcp: PROTOCOL_TCP,
  igrp: 9,
  udp: PROTOCOL_UDP,
  fragment: PROTOCOL_IPV6_FRAGMENT,
  esp: PROTOCOL_ESP,
  ah: PROTOCOL_AH,
  icmp6: PROTOCOL_ICMPV6,
  pim: PROTOCOL_PIM,
  vrrp: PROTOCOL_VRRP,
  sctp: PROTOCOL_SCTP,
} as const;

/** PPP protocol field values, RFC 1661 and its registry. */
export const PPP_PROTOCOL = {
  ip: 0x0021,
  osi: 0x0023,
  xns: 0x0025,
  decnet: 0x0027,
  atalk: 0x0029,
  ipx: 0x002b,
  bridge: 0x0031,
  ip6: 0x0057,
  mpls: 0x0281,
} as const;

/** Network layer protocol identifiers, ISO/IEC TR 9577. */
export const NLPID = { clnp: 0x81, esis: 0x82, isis: 0x83, ip6: 0x8e, ip: 0xcc } as const;

/** IS-IS PDU types, ISO 10589. */
export const ISIS_PDU = {
  l1LanHello: 15,
  l2LanHello: 16,
  pointToPointHello: 17,
  l1Lsp: 18,
  l2Lsp: 20,
  l1Csnp: 24,
  l2Csnp: 25,
  l1Psnp: 26,
  l2Psnp: 27,
} as const;
