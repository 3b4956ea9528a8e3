/**
 * Names that may follow `proto` and `net`, always after a backslash where the name is also a word of the language.
 * Sources: the IANA protocol numbers as a Debian system lists them in /etc/protocols (netbase 6.4); IEEE 802 numbers.
 */

import type { Protocol } from "../tokens.ts";
import { ETHERTYPE, NLPID, SAP } from "./numbers.ts";

const IP_PROTOCOLS = `
  HOPOPT=0 IP=0 hopopt=0 ip=0 ICMP=1 icmp=1 IGMP=2 igmp=2 GGP=3 ggp=3 IP-ENCAP=4 ipencap=4 ST=5 st=5
  TCP=6 tcp=6 EGP=8 egp=8 IGP=9 igp=9 PUP=12 pup=12 UDP=17 udp=17 HMP=20 hmp=20 XNS-IDP=22 xns-idp=22
  RDP=27 rdp=27 ISO-TP4=29 iso-tp4=29 DCCP=33 dccp=33 XTP=36 xtp=36 DDP=37 ddp=37 IDPR-CMTP=38
  idpr-cmtp=38 IPv6=41 ipv6=41 IPv6-Route=43 ipv6-route=43 IPv6-Frag=44 ipv6-frag=44 IDRP=45 idrp=45
  RSVP=46 rsvp=46 GRE=47 gre=47 IPSEC-ESP=50 esp=50 IPSEC-AH=51 ah=51 SKIP=57 skip=57 IPv6-ICMP=58
  ipv6-icmp=58 IPv6-NoNxt=59 ipv6-nonxt=59 IPv6-Opts=60 ipv6-opts=60 CPHB=73 RSPF=73 rspf=73 VMTP=81
  vmtp=81 EIGRP=88 eigrp=88 OSPFIGP=89 ospf=89 AX.25=93 ax.25=93 IPIP=94 ipip=94 ETHERIP=97 etherip=97
  ENCAP=98 encap=98 PIM=103 pim=103 IPCOMP=108 ipcomp=108 VRRP=112 vrrp=112 L2TP=115 l2tp=115 ISIS=124
  isis=124 SCTP=132 sctp=132 FC=133 fc=133 Mobility-Header=135 mobility-header=135 UDPLite=136
  udplite=136 MPLS-in-IP=137 mpls-in-ip=137 manet=138 HIP=139 hip=139 Shim6=140 shim6=140 WESP=141
  wesp=141 ROHC=142 rohc=142 Ethernet=143 ethernet=143 MPTCP=262 mptcp=262
`;

const IP_PROTOCOL_NUMBERS: ReadonlyMap<string, number> = new Map(
  IP_PROTOCOLS.trim()
    .split(/\s+/)
    .map((entry) => {
      const [name, number] = entry.split("=");
      return [name!, Number(number)];
    }),
);

const ETHER_PROTOCOL_NUMBERS: ReadonlyMap<string, number> = new Map([
  ...(
    [
      "aarp",
      "arp",
      "atalk",
      "decnet",
      "ip",
      "ip6",
      "lat",
      "loopback",
      "mopdl",
      "moprc",
      "rarp",
      "sca",
    ] as const
  ).map((name): [string, number] => [name, ETHERTYPE[name]]),
  ["iso", SAP.iso],
  ["stp", SAP.bridge],
  ["ipx", SAP.ipx],
  ["netbeui", SAP.netbeui],
]);

const ISO_PROTOCOL_NUMBERS: ReadonlyMap<string, number> = new Map([
  ["esis", NLPID.esis],
  ["isis", NLPID.isis],
  ["clnp", NLPID.clnp],
]);

/** Returns the number of a protocol within another (null: over IP); null if the name is unknown there. */
export function findProtocol(name: string, within: Protocol | null): number | null {
  switch (within) {
    case null:
    case "ip":
    case "ip6":
      return IP_PROTOCOL_NUMBERS.get(name) ?? null;
    case "link":
      return ETHER_PROTOCOL_NUMBERS.get(name) ?? null;
    case "iso":
      return ISO_PROTOCOL_NUMBERS.get(name) ?? null;
    default:
      return null;
  }
}

/** The names of /etc/networks on a Debian system; without "default", whose zero libpcap reads as "unknown". */
const NETWORKS: ReadonlyMap<string, number> = new Map([
  ["loopback", 0x7f000000],
  ["link-local", 0xa9fe0000],
]);

export function findNetwork(name: string): number | null {
  return NETWORKS.get(name) ?? null;
}
