/** Parses the text of a rule of policy routing. The grammar is in `policy-spec.ts`. */

import {
  formatAnyPrefix,
  type Prefix4,
  type Prefix6,
  parseAnyAddress,
  parseAnyPrefix,
} from "../../../../net/address/prefix.ts";
import { PROTOCOL_ICMP, PROTOCOL_ICMPV6, PROTOCOL_TCP, PROTOCOL_UDP } from "../../../../wire/ipv4.ts";
import { MAX_RULE_NUMBER } from "../base/numbered-rules.ts";
import type { AclFamily } from "../firewall/acl-spec.ts";
import { hostOf, networkOf } from "../firewall/parse-rule.ts";
import type { PortRange } from "../firewall/rule.ts";
import { fail, textOr, Words } from "../firewall/words.ts";
import { MAX_DSCP, parseDscp } from "./dscp.ts";
import type { NextHop, PbrAction, PbrRule } from "./pbr-rule.ts";
import { MAX_NEXT_HOPS } from "./policy-spec.ts";

export const PBR_RULE_USAGE =
  "[seq N] [match [src-ip PREFIX] [dst-ip PREFIX] [ip-protocol P] [src-port N[-M]] [dst-port N[-M]] [dscp D]] set [dscp D] [nexthop GW [track ADDR] [nexthop ...] | vrf NAME | drop]";

const MAX_PORT = 65_535;
const PROTOCOLS: Readonly<Record<string, number>> = Object.assign(Object.create(null), {
  tcp: PROTOCOL_TCP,
  udp: PROTOCOL_UDP,
  icmp: PROTOCOL_ICMP,
  icmpv6: PROTOCOL_ICMPV6,
});

interface Conditions {
  "src-ip"?: Prefix4 | Prefix6;
  "dst-ip"?: Prefix4 | Prefix6;
  "ip-protocol"?: number;
  "src-port"?: PortRange;
  "dst-port"?: PortRange;
  dscp?: number;
}

/** @param number of a rule without one. @returns the rule, or what is wrong. */
export const parsePbrRule = (text: string, number: number): PbrRule | string =>
  textOr(() => readRule(new Words(text), number));

function readRule(words: Words, defaultNumber: number): PbrRule {
  const number = words.skip("seq")
    ? words.number("the number of the rule", 1, MAX_RULE_NUMBER)
    : defaultNumber;
  const given = readConditions(words);
  const { action, mark } = readActions(words);
  const protocol = given["ip-protocol"];
  for (const key of ["src-port", "dst-port"] as const)
    if (given[key] && protocol !== PROTOCOL_TCP && protocol !== PROTOCOL_UDP)
      fail(`${key} needs ip-protocol tcp or udp`);
  return {
    number,
    family: familyOf(given, action),
    match: {
      number,
      // A later fragment, whose ports are unknown, does not match a rule with ports.
      action: "deny",
      protocol,
      from: given["src-ip"],
      to: given["dst-ip"],
      fromPorts: given["src-port"],
      toPorts: given["dst-port"],
      icmpType: undefined,
      icmpCode: undefined,
      established: false,
      states: [],
      log: false,
    },
    dscp: given.dscp,
    action,
    mark,
  };
}

function readConditions(words: Words): Conditions {
  const given: Conditions = {};
  while (words.next !== "set") {
    words.skip("match");
    const key = words.take("set");
    if (Object.hasOwn(given, key)) fail(`${key} is there twice`);
    if (key === "src-ip" || key === "dst-ip") given[key] = readPrefix(words, key);
    else if (key === "src-port" || key === "dst-port") given[key] = readPorts(words, key);
    else if (key === "ip-protocol") given[key] = readProtocol(words);
    else if (key === "dscp") given[key] = readDscp(words);
    else fail(`${key} is not expected here: ${PBR_RULE_USAGE}`);
  }
  return given;
}

function readPrefix(words: Words, key: string): Prefix4 | Prefix6 {
  const word = words.take(`the prefix of ${key}`);
  const address = parseAnyAddress(word);
  const prefix = address === null ? parseAnyPrefix(word) : hostOf(address);
  if (prefix === null) return fail(`${word} is not an address or a prefix`);
  const network = networkOf(prefix);
  if (network.address !== prefix.address)
    fail(`${word} has bits set after its prefix; the network is ${formatAnyPrefix(network)}`);
  return prefix;
}

function readPorts(words: Words, key: string): PortRange {
  const word = words.take(`the ports of ${key}`);
  const [, from, to = from] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(word) ?? [];
  const [first, last] = [Number(from), Number(to)];
  if (!(last <= MAX_PORT && first <= MAX_PORT))
    fail(`${word} is not a port, 0 to ${MAX_PORT}, or a range (80-90)`);
  return first <= last ? { first, last } : fail(`the range ends at ${last}, before ${first}`);
}

function readProtocol(words: Words): number {
  const word = words.take("a protocol");
  const number = PROTOCOLS[word] ?? (/^\d{1,3}$/.test(word) ? Number(word) : Number.NaN);
  return number <= 255
    ? number
    : fail(`${word} is not ${Object.keys(PROTOCOLS).join(", ")} or a number up to 255`);
}

function readDscp(words: Words): number {
  const word = words.take("a code point");
  const dscp = parseDscp(word);
  return dscp <= MAX_DSCP ? dscp : fail(`${word} is not a code point: 0 to ${MAX_DSCP}, cs1, af11, ef`);
}

function readActions(words: Words): Pick<PbrRule, "action" | "mark"> {
  const hops: NextHop[] = [];
  let action: PbrAction = { kind: "continue" };
  let mark: number | undefined;
  while (words.next !== undefined) {
    words.skip("set");
    const key = words.take("what it sets");
    if (key === "dscp" && mark === undefined) mark = readDscp(words);
    else if (key === "nexthop" && (action.kind === "continue" || action.kind === "nexthop")) {
      hops.push(readHop(words));
      action = { kind: "nexthop", hops };
    } else if (action.kind !== "continue") fail(`${key} is not expected after ${action.kind}`);
    else if (key === "vrf") action = { kind: "vrf", vrf: words.takeAsIs("the name of a VRF") };
    else if (key === "drop") action = { kind: "drop" };
    else fail(`${key} is not expected here: ${PBR_RULE_USAGE}`);
  }
  if (action.kind === "continue" && mark === undefined) fail("the rule ends before what it sets");
  if (action.kind === "drop" && mark !== undefined) fail("a packet that is dropped gets no code point");
  if (hops.length > MAX_NEXT_HOPS) fail(`a rule has ${MAX_NEXT_HOPS} next hops at most, not ${hops.length}`);
  return { action, mark };
}

function readHop(words: Words): NextHop {
  const address = (what: string): number | bigint => {
    const word = words.take(what);
    return parseAnyAddress(word) ?? fail(`${word} is not an IPv4 or IPv6 address`);
  };
  const via = address("a next hop");
  return { via, track: words.skip("track") ? address("what it tracks") : undefined };
}

/** All addresses of a rule are of one family. */
function familyOf(given: Conditions, action: PbrAction): AclFamily | undefined {
  const addresses = [
    given["src-ip"]?.address,
    given["dst-ip"]?.address,
    ...(action.kind === "nexthop" ? action.hops.flatMap(({ via, track }) => [via, track]) : []),
  ].filter((each) => each !== undefined);
  const families = new Set(addresses.map((each) => (typeof each === "number" ? "ipv4" : "ipv6")));
  if (families.size > 1) fail("its addresses are of different families");
  return [...families][0];
}
