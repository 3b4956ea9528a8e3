/** Protocol numbers that lowering compares with. Sources: IANA protocol numbers and IEEE 802 numbers; RFC 1700; ISO 8473. */

/** A type field above this is an EtherType; otherwise it is an 802.3 length, and an 802.2 header follows. */
export const MAX_8023_LENGTH = 1500;

export const ETHERTYPE = {
  xns: 0x0600,
  ip: 0x0800,
  arp: 0x0806,
  mopdl: 0x6001,
  moprc: 0x6002,
  decnet: 0x6003,
  lat: 0x6004,
  sca: 0x6007,
  transparentEthernet: 0x6558,
  rarp: 0x8035,
  atalk: 0x809b,
  aarp: 0x80f3,
  vlan: 0x8100,
  ipx: 0x8137,
  ip6: 0x86dd,
  mpls: 0x8847,
  pppoeDiscovery: 0x8863,
  pppoeSession: 0x8864,
  serviceVlan: 0x88a8,
  loopback: 0x9000,
  oldServiceVlan: 0x9100,
} as const;

/** 802.2 service access points. */
export const SAP = { ip: 0x06, bridge: 0x42, snap: 0xaa, ipx: 0xe0, netbeui: 0xf0, iso: 0xfe } as const;

export const IP_PROTOCOL = {
  icmp: 1,
  igmp: 2,
  tcp: 6,
  igrp: 9,
  udp: 17,
  fragment: 44,
  esp: 50,
  ah: 51,
  icmp6: 58,
  pim: 103,
  vrrp: 112,
  sctp: 132,
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
