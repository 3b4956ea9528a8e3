/** A rule of an access list as data, and as the line of text that configurations contain. */

import {
  formatAnyAddress,
  formatAnyPrefix,
  type Prefix4,
  type Prefix6,
} from "../../../../net/address/prefix.ts";
import { PROTOCOL_ICMP, PROTOCOL_ICMPV6, PROTOCOL_TCP, PROTOCOL_UDP } from "../../../../wire/ipv4.ts";
import type { AclFamily } from "./acl-spec.ts";

export type Action = "permit" | "deny" | "reject";

/** What connection tracking knows of a packet. */
export type PacketState = "new" | "established" | "related" | "invalid";
export const PACKET_STATES: readonly PacketState[] = ["new", "established", "related", "invalid"];

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export interface Rule {
  readonly number: number;
  readonly action: Action;
  /** Undefined for every protocol. */
  readonly protocol: number | undefined;
  /** Undefined for every address. */
  readonly from: Prefix4 | Prefix6 | undefined;
  readonly fromPorts: PortRange | undefined;
  readonly to: Prefix4 | Prefix6 | undefined;
  readonly toPorts: PortRange | undefined;
  readonly icmpType: number | undefined;
  readonly icmpCode: number | undefined;
  /** Matches TCP segments with ACK or RST: those of a connection that exists. */
  readonly established: boolean;
  /** Empty if the rule does not ask for it. */
  readonly states: readonly PacketState[];
  readonly log: boolean;
}

export const PROTOCOL_NAMES: Readonly<Record<AclFamily, Readonly<Record<string, number | undefined>>>> = {
  ipv4: Object.assign(Object.create(null), {
    ip: undefined,
    tcp: PROTOCOL_TCP,
    udp: PROTOCOL_UDP,
    icmp: PROTOCOL_ICMP,
  }),
  ipv6: Object.assign(Object.create(null), {
    ipv6: undefined,
    tcp: PROTOCOL_TCP,
    udp: PROTOCOL_UDP,
    icmpv6: PROTOCOL_ICMPV6,
  }),
};

export function protocolName(family: AclFamily, protocol: number | undefined): string {
  const named = Object.entries(PROTOCOL_NAMES[family]).find(([, number]) => number === protocol);
  return named?.[0] ?? String(protocol);
}

/** Formats a rule in the one form that the stored configuration has; `parseRule` reads it. */
export function formatRule(family: AclFamily, rule: Rule): string {
  const { number, action, protocol, from, fromPorts, to, toPorts, icmpType, icmpCode } = rule;
  const words = [
    number,
    action,
    protocolName(family, protocol),
    formatEnd(from),
    formatPorts(fromPorts),
    formatEnd(to),
    formatPorts(toPorts),
    icmpType === undefined ? "" : `type ${icmpType}`,
    icmpCode === undefined ? "" : `code ${icmpCode}`,
    rule.established ? "established" : "",
    rule.states.length === 0 ? "" : `state ${rule.states.join(",")}`,
    rule.log ? "log" : "",
  ];
  return words.filter((word) => word !== "").join(" ");
}

function formatEnd(prefix: Prefix4 | Prefix6 | undefined): string {
  if (prefix === undefined) return "any";
  const isHost = prefix.prefixLength === (typeof prefix.address === "number" ? 32 : 128);
  return isHost ? `host ${formatAnyAddress(prefix.address)}` : formatAnyPrefix(prefix);
}

const formatPorts = (range: PortRange | undefined): string => {
  if (range === undefined) return "";
  return range.first === range.last ? `eq ${range.first}` : `range ${range.first} ${range.last}`;
};
