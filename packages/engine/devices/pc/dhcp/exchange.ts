/**
 * Requests an address (RFC 2131 section 3.1) with VPCS's timing (docs/interface.md, section 9.10): the client reads the
 * replies at the end of a pause and uses the first one.
 *
 *     0 s   discover     1 s   request, or discover again     4 s   the last discover     13 s   no server
 *           request     +1 s   request again    +2 s   the last request    +3 s   no acknowledgement
 */
import { DHCP_ACK, DHCP_NAK, DHCP_OFFER, type Dhcp, messageType } from "../../../wire/dhcp.ts";
import type { Host, Received, ReceivedIpv4, Script } from "../host.ts";
import { type Notes, nextTurn, once, pause, sub, turnsOf } from "../notes.ts";
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
export function* discover(
  host: Host,
  show: Show,
  xid: number,
  hint: Hint | undefined,
  notes: Notes,
): Script<DhcpReply | undefined> {
  const destination: Destination = hint ? { ...TO_EVERYBODY, mac: hint.serverMac } : TO_EVERYBODY;
  const message = once(notes, "message", () => makeDiscover(host, xid, hint?.address));
  const send = (): void => {
    show("D", message);
    sendDhcp(host, destination, message);
  };
  for (const [index, pauseUs] of DISCOVER_PAUSES_US.entries()) {
    once(notes, `sent ${index}`, send);
    const offer = yield* sub(notes, `offer ${index}`, (own) => collect(host, xid, pauseUs, isOffer, own));
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
  notes: Notes,
): Script<DhcpReply | undefined> {
  const message = once(notes, "message", () => makeRequest(host, xid, serverOf(offer), offer.message.yourIp));
  const send = (): void => {
    show("R", message);
    sendDhcp(host, TO_EVERYBODY, message);
  };
  for (const [index, pauseUs] of REQUEST_PAUSES_US.entries()) {
    once(notes, `sent ${index}`, send);
    const verdict = yield* sub(notes, `verdict ${index}`, (own) =>
      collect(host, xid, pauseUs, isVerdict, own),
    );
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
  notes: Notes,
): Script<DhcpReply | undefined> {
  const endUs = once(notes, "endUs", () => host.world.nowUs + pauseUs);
  const found = once(notes, "found", (): { first?: DhcpReply } => ({}));
  const accept = (each: Received): boolean => readReply(each, xid) !== undefined;
  const turns = turnsOf(notes, "replies");
  for (; once(turns.notes, "goesOn", () => host.world.nowUs < endUs); nextTurn(turns)) {
    const timeoutUs = endUs - host.world.nowUs;
    const packet = yield* pause(turns.notes, "reply", { timeoutUs, accept });
    const message = packet && readReply(packet, xid);
    if (message && counts(message)) found.first ??= { message, packet: packet as ReceivedIpv4 };
  }
  return found.first;
}
