/**
 * The neighbour table: learned from neighbour advertisements (RFC 4861), asked for with solicitations.
 *
 * Entries do not age. They stand in the order in which the PC last heard from them; a full table evicts the first. Nothing is
 * learned from solicitations.
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
import { isOwnIpv6, sendNeighbour, sendRouterSolicitation, sourceFor } from "./send.ts";

const NEIGHBOURS_MAX = 32;
const ADDRESS_BITS = 128;
const ANSWER_US = 1_000_000;
/** Without a router: one solicitation each, until a second is over. */
const ROUTER_RETRY_US = 10_000;
const ROUTER_TRIES = 100;

/** Of the first three bytes of a MAC. */
const UNIVERSAL_BIT = 0x02_0000;
const IDENTIFIER_MASK = (1n << 64n) - 1n;

/** The solicitation or advertisement of a neighbour in a packet; null for one that must be dropped, and for other packets. */
export function neighbourMessage({ header, payload }: ReceivedIpv6): Neighbour | null {
  if (header.nextHeader !== PROTOCOL_ICMPV6 || !isValidDiscovery(header, payload)) return null;
  return decodeNeighbour(payload);
}

/** Takes the MAC from an advertisement for this PC. @returns the address that was learned. */
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
 * The MAC that a packet to `target` goes to: of the group, the one in a link-local address, of the neighbour (asked for
 * once, for a second), or of the router (asked for every 10 ms, for a second). Undefined when nobody answers.
 */
export function* resolveIpv6(host: Host, target: bigint): Script<number | undefined> {
  if (isMulticastIpv6(target)) return ipv6MulticastMac(target);
  if (isLinkLocal(target)) return macInAddress(target);
  if (isOnLink(host, target)) return yield* resolveNeighbour(host, target);
  const router = yield* resolveRouter(host);
  // The advertisement may have brought the very prefix of the target.
  return isOnLink(host, target) ? yield* resolveNeighbour(host, target) : router;
}

/**
 * As `resolveIpv6`, for an answer: a PC that has no router does not look for one because of a stranger's packet, and who has
 * a link-local address that was not made from a MAC is asked for it.
 */
export function* resolveAnswer(host: Host, target: bigint): Script<number | undefined> {
  if (isLinkLocal(target) && !isMadeFromMac(target)) return yield* resolveNeighbour(host, target);
  if (isLinkLocal(target) || isOnLink(host, target)) return yield* resolveIpv6(host, target);
  return host.state.ipv6.routerMac;
}

function isOnLink(host: Host, target: bigint): boolean {
  const own = host.global;
  const prefixLength = Math.min(host.state.ipv6.global?.prefixLength ?? 0, ADDRESS_BITS);
  return own !== undefined && samePrefix(own, target, prefixLength);
}

/** The MAC from which a link-local address was made (RFC 4291, appendix A), or would have been: VPCS never asks. */
function macInAddress(address: bigint): number {
  const vendor = Number((address >> 40n) & 0xff_ffffn) ^ UNIVERSAL_BIT;
  return vendor * 0x100_0000 + Number(address & 0xff_ffffn);
}

const isMadeFromMac = (address: bigint): boolean =>
  eui64Of(macInAddress(address)) === (address & IDENTIFIER_MASK);

function* resolveNeighbour(host: Host, target: bigint): Script<number | undefined> {
  const known = knownNeighbour(host, target);
  if (known !== undefined) return known;
  const group = solicitedNode(target);
  sendNeighbour(host, ipv6MulticastMac(group), sourceFor(host, target), group, {
    type: NEIGHBOUR_SOLICITATION,
    flags: 0,
    target,
    mac: host.mac,
  });
  const isAnswer = (packet: Received): boolean =>
    packet.kind === "ipv6" && learnNeighbour(host, packet) === target;
  yield { timeoutUs: ANSWER_US, accept: isAnswer };
  // Looked up again: of two that ask for the same neighbour, the answer wakes only one.
  return knownNeighbour(host, target);
}

function* resolveRouter(host: Host): Script<number | undefined> {
  for (let tries = 0; host.state.ipv6.routerMac === undefined && tries < ROUTER_TRIES; tries++) {
    sendRouterSolicitation(host);
    yield { timeoutUs: ROUTER_RETRY_US };
  }
  return host.state.ipv6.routerMac;
}
