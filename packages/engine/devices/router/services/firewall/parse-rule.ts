/** Parses the text of a rule. The grammar is in `acl-spec.ts`. */

import {
  formatAnyPrefix,
  isPrefix4,
  network4,
  network6,
  type Prefix4,
  type Prefix6,
  parseAnyAddress,
  parseAnyPrefix,
} from "../../../../net/address/prefix.ts";
import { PROTOCOL_ICMP, PROTOCOL_ICMPV6, PROTOCOL_TCP, PROTOCOL_UDP } from "../../../../wire/ipv4.ts";
import { MAX_RULE_NUMBER } from "../base/numbered-rules.ts";
import { type AclFamily, FAMILY_NAMES } from "./acl-spec.ts";
import {
  type Action,
  PACKET_STATES,
  type PacketState,
  type PortRange,
  PROTOCOL_NAMES,
  type Rule,
} from "./rule.ts";
import { fail, textOr, Words } from "./words.ts";

type Prefix = Prefix4 | Prefix6;

export const RULE_USAGE =
  "[SEQ] permit|deny|reject PROTOCOL FROM [eq PORT|range FIRST LAST] TO [eq PORT|range FIRST LAST] [type N [code N]] [established] [state STATE[,STATE]] [log]";

const MAX_PORT = 65_535;
const MAX_BYTE = 255;

/** @param number of a rule without one. @returns the rule, or what is wrong. */
export const parseRule = (family: AclFamily, text: string, number: number): Rule | string =>
  textOr(() => readRule(family, new Words(text), number));

function readRule(family: AclFamily, words: Words, defaultNumber: number): Rule {
  const number = /^\d/.test(words.next ?? "")
    ? words.number("the number of the rule", 1, MAX_RULE_NUMBER)
    : defaultNumber;
  const action = words.take("permit, deny or reject");
  if (!isAction(action)) fail(`${action} is not permit, deny or reject`);
  const protocol = readProtocol(family, words);
  const from = readEnd(family, words, "the source");
  const fromPorts = readPorts(protocol, words);
  const to = readEnd(family, words, "the target");
  const toPorts = readPorts(protocol, words);
  const conditions = readConditions(family, protocol, words);
  return { number, action, protocol, from, fromPorts, to, toPorts, ...conditions };
}

const isAction = (word: string): word is Action => ["permit", "deny", "reject"].includes(word);

function readProtocol(family: AclFamily, words: Words): number | undefined {
  const names = PROTOCOL_NAMES[family];
  const word = words.next ?? "";
  if (word in names) return names[words.take("a protocol")];
  if (/^\d/.test(word)) return words.number("the protocol", 0, MAX_BYTE);
  return fail(`${word || "a protocol"} is not ${Object.keys(names).join(", ")} or a number`);
}

function readEnd(family: AclFamily, words: Words, what: string): Prefix | undefined {
  if (words.skip("any")) return undefined;
  const isHost = words.skip("host");
  const word = words.take(what);
  const address = parseAnyAddress(word);
  const prefix = address === null ? (isHost ? null : parseAnyPrefix(word)) : hostOf(address);
  if (prefix === null || (isPrefix4(prefix) ? "ipv4" : "ipv6") !== family)
    fail(
      `${word} is not ${isHost ? "an" : "any, host or an"} ${FAMILY_NAMES[family]} ${isHost ? "address" : "prefix"}`,
    );
  const network = networkOf(prefix);
  if (network.address !== prefix.address)
    fail(`${word} has bits set after its prefix; the network is ${formatAnyPrefix(network)}`);
  return prefix.prefixLength === 0 ? undefined : prefix;
}

export const hostOf = (address: number | bigint): Prefix =>
  typeof address === "number" ? { address, prefixLength: 32 } : { address, prefixLength: 128 };

export const networkOf = (prefix: Prefix): Prefix =>
  isPrefix4(prefix)
    ? { ...prefix, address: network4(prefix.address, prefix.prefixLength) }
    : { ...prefix, address: network6(prefix.address, prefix.prefixLength) };

function readPorts(protocol: number | undefined, words: Words): PortRange | undefined {
  const word = words.next;
  if (word !== "eq" && word !== "range") return undefined;
  if (protocol !== PROTOCOL_TCP && protocol !== PROTOCOL_UDP) fail(`${word} needs the protocol tcp or udp`);
  words.take(word);
  const first = words.number("a port", 0, MAX_PORT);
  if (word === "eq") return { first, last: first };
  const last = words.number("the last port", 0, MAX_PORT);
  return first <= last ? { first, last } : fail(`the range ends at ${last}, before ${first}`);
}

type Conditions = Pick<Rule, "icmpType" | "icmpCode" | "established" | "states" | "log">;

function readConditions(family: AclFamily, protocol: number | undefined, words: Words): Conditions {
  const isIcmp = protocol === (family === "ipv4" ? PROTOCOL_ICMP : PROTOCOL_ICMPV6);
  let icmpType: number | undefined;
  let icmpCode: number | undefined;
  if (words.skip("type")) {
    if (!isIcmp) fail(`type needs the protocol ${family === "ipv4" ? "icmp" : "icmpv6"}`);
    icmpType = words.number("the ICMP type", 0, MAX_BYTE);
    if (words.skip("code")) icmpCode = words.number("the ICMP code", 0, MAX_BYTE);
  }
  const established = words.skip("established");
  if (established && protocol !== PROTOCOL_TCP) fail("established needs the protocol tcp");
  const states = words.skip("state") ? readStates(words.take("a state")) : [];
  const log = words.skip("log");
  if (words.next !== undefined) fail(`${words.next} is not expected here: ${RULE_USAGE}`);
  return { icmpType, icmpCode, established, states, log };
}

function readStates(list: string): PacketState[] {
  const given = list.split(",");
  for (const each of given) {
    if (!PACKET_STATES.some((state) => state === each))
      fail(`${each || "nothing"} is not a state: ${PACKET_STATES.join(", ")}`);
  }
  return PACKET_STATES.filter((state) => given.includes(state));
}
