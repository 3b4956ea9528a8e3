/**
 * The neighbour table: the PC learns entries from neighbour advertisements (RFC 4861) and sends solicitations for them.
 *
 * Entries do not age. The table is ordered by the last advertisement; a full table evicts the oldest entry. The PC learns
 * nothing from solicitations.
 */
import {
  decodeNeighbour,
  NEIGHBOUR_ADVERTISEMENT,
  NEIGHBOUR_SOLICITATION,
  type Neighbour,
} from "../../../wire/icmpv6.ts";
import { PROTOCOL_ICMPV6 } from "../../../wire/ipv4.ts";
import {
  eui64Of,
  formatIpv6,
  isLinkLocal,
  isMulticastIpv6,
  samePrefix,
  solicitedNode,
} from "../../../wire/ipv6-address.ts";
import { ipv6MulticastMac, isGroupMac } from "../../../wire/mac.ts";
import { isValidDiscovery } from "../../../wire/neighbour-discovery.ts";
import type { Host, Received, ReceivedIpv6, Script } from "../host.ts";
import { type Notes, nextTurn, notesOf, once, pause, sub, turnsOf } from "../notes.ts";
import { isOwnIpv6, sendNeighbour, sendRouterSolicitation, sourceFor } from "./send.ts";

const NEIGHBOURS_MAX = 32;
const ADDRESS_BITS = 128;
const ANSWER_US = 1_000_000;
/** Interval of router solicitations while no router is known. */
const ROUTER_RETRY_US = 10_000;
const ROUTER_TRIES = 100;

/** The universal/local bit in the first three bytes of a MAC. */
const UNIVERSAL_BIT = 0x02_0000;
const IDENTIFIER_MASK = (1n << 64n) - 1n;

/** Decodes a neighbour solicitation or advertisement; returns null for one that must be dropped, and for any other packet. */
export function neighbourMessage({ header, payload }: ReceivedIpv6): Neighbour | null {
  if (header.nextHeader !== PROTOCOL_ICMPV6 || !isValidDiscovery(header, payload)) return null;
  return decodeNeighbour(payload);
}

/** Learns the MAC from an advertisement for this PC. @returns the learned address. */
export function learnNeighbour(host: Host, packet: ReceivedIpv6): bigint | undefined {
  const message = neighbourMessage(packet);
  if (message?.type !== NEIGHBOUR_ADVERTISEMENT || message.mac === undefined) return undefined;
  if (!isOwnIpv6(host, packet.header.target) || isGroupMac(message.mac)) return undefined;
  remember(host, message.target, message.mac);
  return message.target;
}

function remember(host: Host, target: bigint, mac: number): void {
  const address = formatIpv6(target);
  const { ipv6 } = host.state;
  const others = ipv6.neighbours.filter((entry) => entry.address !== address);
  ipv6.neighbours = [...others, { address, mac }].slice(-NEIGHBOURS_MAX);
}

export function knownNeighbour({ state }: Host, target: bigint): number | undefined {
  const address = formatIpv6(target);
  return state.ipv6.neighbours.find((entry) => entry.address === address)?.mac;
}

/**
 * Returns the MAC for a packet to `target`: the group's MAC, the MAC in a link-local address, the neighbour's (one
 * solicitation, one second), or the router's (a solicitation every 10 ms for one second). Undefined if no answer arrives.
 */
export function* resolveIpv6(host: Host, target: bigint, notes: Notes): Script<number | undefined> {
  if (isMulticastIpv6(target)) return ipv6MulticastMac(target);
  if (isLinkLocal(target)) return macInAddress(target);
  const onLink = (): boolean => isOnLink(host, target);
  if (once(notes, "onLink", onLink)) return yield* resolveNeighbour(host, target, notesOf(notes, "near"));
  const router = yield* sub(notes, "router", (own) => resolveRouter(host, own));
  // The advertisement may have announced the target's prefix.
  if (!once(notes, "onLinkNow", onLink)) return router;
  return yield* resolveNeighbour(host, target, notesOf(notes, "announced"));
}

/**
 * Same as `resolveIpv6`, for answers: a PC without a router does not solicit one for a packet from outside the subnet, and it
 * solicits the MAC of a neighbour whose link-local address was not made from a MAC.
 */
export function* resolveAnswer(host: Host, target: bigint, notes: Notes): Script<number | undefined> {
  if (isLinkLocal(target) && !isMadeFromMac(target)) return yield* resolveNeighbour(host, target, notes);
  const isNear = once(notes, "isNear", () => isLinkLocal(target) || isOnLink(host, target));
  if (isNear) return yield* resolveIpv6(host, target, notesOf(notes, "near"));
  return host.state.ipv6.routerMac;
}

function isOnLink(host: Host, target: bigint): boolean {
  const own = host.global;
  const prefixLength = Math.min(host.state.ipv6.global?.prefixLength ?? 0, ADDRESS_BITS);
  return own !== undefined && samePrefix(own, target, prefixLength);
}

/** Computes the MAC from a link-local address as if it had been made from one (RFC 4291, appendix A): VPCS never solicits it. */
function macInAddress(address: bigint): number {
  const vendor = Number((address >> 40n) & 0xff_ffffn) ^ UNIVERSAL_BIT;
  return vendor * 0x100_0000 + Number(address & 0xff_ffffn);
}

const isMadeFromMac = (address: bigint): boolean =>
  eui64Of(macInAddress(address)) === (address & IDENTIFIER_MASK);

function* resolveNeighbour(host: Host, target: bigint, notes: Notes): Script<number | undefined> {
  const known = once(notes, "known", () => knownNeighbour(host, target));
  if (known !== undefined) return known;
  once(notes, "asked", () => solicit(host, target));
  const isAnswer = (packet: Received): boolean =>
    packet.kind === "ipv6" && learnNeighbour(host, packet) === target;
  yield* pause(notes, "answer", { timeoutUs: ANSWER_US, accept: isAnswer });
  // Looks the entry up again, because the answer wakes only one of two scripts that wait for the same neighbour.
  return knownNeighbour(host, target);
}

function solicit(host: Host, target: bigint): void {
  const group = solicitedNode(target);
  sendNeighbour(host, ipv6MulticastMac(group), sourceFor(host, target), group, {
    type: NEIGHBOUR_SOLICITATION,
    flags: 0,
    target,
    mac: host.mac,
  });
}

function* resolveRouter(host: Host, notes: Notes): Script<number | undefined> {
  const ask = (): boolean => {
    if (host.state.ipv6.routerMac !== undefined) return false;
    sendRouterSolicitation(host);
    return true;
  };
  for (const tries = turnsOf(notes, "tries"); tries.number < ROUTER_TRIES; nextTurn(tries)) {
    if (!once(tries.notes, "asked", ask)) break;
    yield* pause(tries.notes, "answer", { timeoutUs: ROUTER_RETRY_US });
  }
  return host.state.ipv6.routerMac;
}
