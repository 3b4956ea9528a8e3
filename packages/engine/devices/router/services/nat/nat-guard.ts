/** Translates IPv4 packets of tracked connections: the target when they arrive, the source when they leave. */

import type { Fields } from "../../../../net/packet/fields.ts";
import { ETHERNET_HEADER_BYTES } from "../../../../wire/ethernet.ts";
import type { Found } from "../firewall/connections.ts";
import { quoteAt, quotedFields4 } from "../firewall/quote.ts";
import { inverse, type Tuple, tupleOf } from "../firewall/tuple.ts";
import { changeQuote, type Place, rewriteOuter, rewriteSource, rewriteTarget } from "./rewrite.ts";

const AT = ETHERNET_HEADER_BYTES;

/** The tuple of a connection's packet before and after both translations. */
export function passing({ connection, isReply }: Found<number>): {
  readonly before: Tuple<number>;
  readonly after: Tuple<number>;
} {
  const { original, reply } = connection;
  return isReply ? { before: reply, after: inverse(original) } : { before: original, after: inverse(reply) };
}

export const hasOtherTarget = (one: Tuple<number>, other: Tuple<number>): boolean =>
  one.target !== other.target || one.targetPort !== other.targetPort;

export const hasOtherSource = (one: Tuple<number>, other: Tuple<number>): boolean =>
  one.source !== other.source || one.sourcePort !== other.sourcePort;

/** Where a whole packet is in its frame. */
export const placeOf = ({ at, end, protocol }: Fields<number>): Place => ({
  at: AT,
  upperAt: at,
  end,
  protocol,
});

/** Gives a packet the source and the target of a tuple. */
export function rewriteBoth(
  frame: Uint8Array,
  place: Place,
  before: Tuple<number>,
  after: Tuple<number>,
): void {
  if (hasOtherSource(before, after)) rewriteSource(frame, place, before, after.source, after.sourcePort);
  if (hasOtherTarget(before, after)) rewriteTarget(frame, place, before, after.target, after.targetPort);
}

/**
 * Translates an ICMP error and the packet that it quotes back to what the sender of that packet knows. The error comes from the
 * target that the sender knows, whichever router behind it has sent it.
 * @param found the connection of the quoted packet, in the direction of the error.
 */
export function rewriteError(frame: Uint8Array, error: Fields<number>, found: Found<number>): void {
  const quoted = quotedFields4(frame, error);
  const seen = quoted && tupleOf(frame, quoted);
  if (!quoted || !seen) return;
  const known = found.isReply ? found.connection.original : found.connection.reply;
  const place = { ...placeOf(quoted), at: quoteAt(error) };
  changeQuote(frame, error.at, place.at, error.end, () => rewriteBoth(frame, place, seen, known));
  if (known.target !== seen.target) rewriteOuter(frame, AT, true, error.source, known.target);
  if (known.source !== seen.source && error.target === seen.source)
    rewriteOuter(frame, AT, false, error.target, known.source);
}
