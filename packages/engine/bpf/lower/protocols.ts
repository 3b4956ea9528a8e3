/** Protocols by name (`tcp`, `isis`, `l1`) and by number (`ip proto 89`, `iso proto 0x83`). */
import { and, or, type Test } from "../flow.ts";
import { B } from "../instructions.ts";
import { ETHERTYPE, IP_PROTOCOL, ISIS_PDU, NLPID, SAP } from "../names/numbers.ts";
import type { Protocol } from "../tokens.ts";
import type { LoweringContext } from "./context.ts";
import { carries, frameRelayNlpid } from "./link-protocol.ts";
import { fieldEquals, IPV6_HEADER_BYTES } from "./loads.ts";

/** The link protocol number of each bare protocol word. */
const LINK_PROTOCOLS: ReadonlyMap<Protocol, number> = new Map<Protocol, number>([
  ...(["ip", "arp", "rarp", "atalk", "aarp", "decnet", "sca", "lat", "mopdl", "moprc", "ip6"] as const).map(
    (name): [Protocol, number] => [name, ETHERTYPE[name]],
  ),
  ["iso", SAP.iso],
  ["stp", SAP.bridge],
  ["ipx", SAP.ipx],
  ["netbeui", SAP.netbeui],
]);

/** Protocols over IP, with the IP version; null means both (pim, ah, esp). */
const IP_PROTOCOLS: ReadonlyMap<Protocol, { readonly number: number; readonly over: "ip" | "ip6" | null }> =
  new Map([
    ["sctp", { number: IP_PROTOCOL.sctp, over: null }],
    ["tcp", { number: IP_PROTOCOL.tcp, over: null }],
    ["udp", { number: IP_PROTOCOL.udp, over: null }],
    ["pim", { number: IP_PROTOCOL.pim, over: null }],
    ["ah", { number: IP_PROTOCOL.ah, over: null }],
    ["esp", { number: IP_PROTOCOL.esp, over: null }],
    ["icmp", { number: IP_PROTOCOL.icmp, over: "ip" }],
    ["igmp", { number: IP_PROTOCOL.igmp, over: "ip" }],
    ["igrp", { number: IP_PROTOCOL.igrp, over: "ip" }],
    ["vrrp", { number: IP_PROTOCOL.vrrp, over: "ip" }],
    ["carp", { number: IP_PROTOCOL.vrrp, over: "ip" }],
    ["icmp6", { number: IP_PROTOCOL.icmp6, over: "ip6" }],
  ]);

const ISO_PROTOCOLS: ReadonlyMap<Protocol, number> = new Map([
  ["esis", NLPID.esis],
  ["isis", NLPID.isis],
  ["clnp", NLPID.clnp],
]);

const { l1LanHello, l2LanHello, pointToPointHello, l1Lsp, l2Lsp, l1Csnp, l2Csnp, l1Psnp, l2Psnp } = ISIS_PDU;

/** PDU types of each IS-IS word, in the order of libpcap's tests: the first two in order, each later one in front. */
const ISIS_PDUS: ReadonlyMap<Protocol, readonly number[]> = new Map([
  ["l1", [l1LanHello, pointToPointHello, l1Lsp, l1Csnp, l1Psnp]],
  ["l2", [l2LanHello, pointToPointHello, l2Lsp, l2Csnp, l2Psnp]],
  ["iih", [l1LanHello, l2LanHello, pointToPointHello]],
  ["lsp", [l1Lsp, l2Lsp]],
  ["snp", [l1Csnp, l2Csnp, l1Psnp, l2Psnp]],
  ["csnp", [l1Csnp, l2Csnp]],
  ["psnp", [l1Psnp, l2Psnp]],
]);

/** The frame carries this protocol. */
export function isProtocolWord(context: LoweringContext, protocol: Protocol): Test {
  const linkProtocol = LINK_PROTOCOLS.get(protocol);
  if (linkProtocol !== undefined) return carries(context, linkProtocol);
  const ipProtocol = IP_PROTOCOLS.get(protocol);
  if (ipProtocol !== undefined) return isProtocolNumber(context, ipProtocol.number, ipProtocol.over);
  const isoProtocol = ISO_PROTOCOLS.get(protocol);
  if (isoProtocol !== undefined) return isProtocolNumber(context, isoProtocol, "iso");
  const pdus = ISIS_PDUS.get(protocol);
  if (pdus !== undefined) return isIsisPdu(context, pdus);
  return context.fail("bpf.bad-qualifier", `"${protocol}" alone is not a test`);
}

function isIsisPdu(context: LoweringContext, pdus: readonly number[]): Test {
  const tests = pdus.map((pdu) => isProtocolNumber(context, pdu, "isis"));
  const [first, second, ...later] = tests;
  return later.reduce((all, test) => or(test, all), or(first!, second!));
}

/** `proto NUMBER` within a protocol; null is plain `proto`, over IPv4 or IPv6. */
export function isProtocolNumber(context: LoweringContext, number: number, within: Protocol | null): Test {
  switch (within) {
    case null: {
      const v4 = isProtocolNumber(context, number, "ip");
      return or(v4, isProtocolNumber(context, number, "ip6"));
    }
    case "link":
      return carries(context, number);
    case "ip":
      return and(carries(context, ETHERTYPE.ip), fieldEquals(context, "network", 9, B, number));
    case "ip6":
      return isIpv6NextHeader(context, number);
    case "iso":
      return isIsoProtocol(context, number);
    case "isis": {
      const isis = isProtocolNumber(context, NLPID.isis, "iso");
      return and(isis, fieldEquals(context, "network without snap", 4, B, number));
    }
    default:
      return context.fail("bpf.bad-qualifier", `"proto" cannot follow "${within}"`);
  }
}

/** Tests the next header, behind one fragment header but no other extension. */
function isIpv6NextHeader(context: LoweringContext, number: number): Test {
  const ip6 = carries(context, ETHERTYPE.ip6);
  const fragment = fieldEquals(context, "network", 6, B, IP_PROTOCOL.fragment);
  const fragmented = and(fragment, fieldEquals(context, "network", IPV6_HEADER_BYTES, B, number));
  const next = or(fieldEquals(context, "network", 6, B, number), fragmented);
  return and(ip6, next);
}

function isIsoProtocol(context: LoweringContext, number: number): Test {
  switch (context.linkType) {
    case "DLT_FRELAY":
      return frameRelayNlpid(context, number);
    case "DLT_C_HDLC": {
      const iso = carries(context, (SAP.iso << 8) | SAP.iso);
      return and(iso, fieldEquals(context, "network without snap", 1, B, number));
    }
    default:
      return and(carries(context, SAP.iso), fieldEquals(context, "network without snap", 0, B, number));
  }
}
