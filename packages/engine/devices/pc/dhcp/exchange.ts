/**
 * Requests an address (RFC 2131 section 3.1) with VPCS's timing (docs/interface.md, section 9.10): the client reads the
 * replies at the end of a pause and uses the first one.
 *
 *     0 s   discover     1 s   request, or discover again     4 s   the last discover     13 s   no server
 *           request     +1 s   request again    +2 s   the last request    +3 s   no acknowledgement
 */
import { DHCP_ACK, DHCP_NAK, DHCP_OFFER, type Dhcp, messageType } from "../../../wire/dhcp.ts";
import type { Host, ReceivedIpv4, Script } from "../host.ts";
import { describeDhcp } from "./describe.ts";
import {
  type Destination,
  makeDiscover,
  makeRequest,
  readReply,
  sendDhcp,
  TO_EVERYBODY,
} from "./messages.ts";
import { type DhcpReply, givesAddress, serverOf } from "./offer.ts";

const DISCOVER_PAUSES_US = [1_000_000, 3_000_000, 9_000_000];
const REQUEST_PAUSES_US = [1_000_000, 1_000_000, 1_000_000];

/** Prints a message on the console: one letter, or the whole message. */
export type Show = (letter: string, message: Dhcp) => void;

export const showLetters =
  (host: Host): Show =>
  (letter) =>
    host.world.print(letter);

export const showMessages =
  (host: Host): Show =>
  (_letter, message) =>
    host.world.print(describeDhcp(message));

/** The previous address of the client, and its server. */
export interface Hint {
  readonly address: number;
  readonly serverMac: number;
}

/** Returns the offer; undefined after three unanswered discovers. With a hint the discovers go to the previous server. */
export function* discover(host: Host, show: Show, xid: number, hint?: Hint): Script<DhcpReply | undefined> {
  const destination: Destination = hint ? { ...TO_EVERYBODY, mac: hint.serverMac } : TO_EVERYBODY;
  const message = makeDiscover(host, xid, hint?.address);
  for (const pauseUs of DISCOVER_PAUSES_US) {
    show("D", message);
    sendDhcp(host, destination, message);
    const offer = yield* collect(host, xid, pauseUs, isOffer);
    if (offer === undefined) continue;
    show("O", offer.message);
    return offer;
  }
  return undefined;
}

/** Returns the acknowledgement of an offer; undefined if the server refuses or does not answer. */
export function* request(
  host: Host,
  show: Show,
  xid: number,
  offer: DhcpReply,
): Script<DhcpReply | undefined> {
  const message = makeRequest(host, xid, serverOf(offer), offer.message.yourIp);
  for (const pauseUs of REQUEST_PAUSES_US) {
    show("R", message);
    sendDhcp(host, TO_EVERYBODY, message);
    const verdict = yield* collect(host, xid, pauseUs, isVerdict);
    if (verdict === undefined) continue;
    if (messageType(verdict.message) === DHCP_NAK) return undefined;
    show("A", verdict.message);
    return verdict;
  }
  return undefined;
}

const isOffer = (message: Dhcp): boolean => messageType(message) === DHCP_OFFER && givesAddress(message);

const isVerdict = (message: Dhcp): boolean =>
  messageType(message) === DHCP_NAK || (messageType(message) === DHCP_ACK && givesAddress(message));

/** Waits for the whole pause, then returns the first valid reply. */
function* collect(
  host: Host,
  xid: number,
  pauseUs: number,
  counts: (message: Dhcp) => boolean,
): Script<DhcpReply | undefined> {
  const endUs = host.world.nowUs + pauseUs;
  let first: DhcpReply | undefined;
  while (host.world.nowUs < endUs) {
    const timeoutUs = endUs - host.world.nowUs;
    const packet = yield { timeoutUs, accept: (each) => readReply(each, xid) !== undefined };
    const message = packet && readReply(packet, xid);
    if (message && counts(message)) first ??= { message, packet: packet as ReceivedIpv4 };
  }
  return first;
}
