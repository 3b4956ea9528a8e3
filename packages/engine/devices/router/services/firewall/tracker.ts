/** Finds out what connection tracking knows of a packet. Addresses of either family. */

import type { Fields } from "../../../../net/packet/fields.ts";
import { PROTOCOL_TCP } from "../../../../wire/ipv4.ts";
import { TCP_RST } from "../../../../wire/tcp.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import type { Connections, Found } from "./connections.ts";
import type { PacketState } from "./rule.ts";
import { arePossible, beginsTcp, CLOSED, watchTcp } from "./tcp-phase.ts";
import { inverse, isRequest, type Tuple, tupleOf } from "./tuple.ts";

export interface Track<A extends number | bigint> {
  readonly state: PacketState;
  /** Undefined if the packet is invalid, or an error. */
  readonly tuple: Tuple<A> | undefined;
  /** The connection that the packet, or the one that an error quotes, belongs to. */
  readonly found: Found<A> | undefined;
}

const INVALID: Track<never> = { state: "invalid", tuple: undefined, found: undefined };
/** A broadcast or multicast: it may pass where a new connection may begin, and begins none. */
export const UNTRACKED: Track<never> = { state: "new", tuple: undefined, found: undefined };

/** Classifies a packet that is no ICMP error, and takes it into account in its connection. */
export function track<A extends number | bigint>(
  connections: Connections<A>,
  limits: ConnectionLimits,
  frame: Uint8Array,
  packet: Fields<A>,
  nowUs: number,
): Track<A> {
  const tuple = tupleOf(frame, packet);
  const isTcp = packet.protocol === PROTOCOL_TCP;
  if (tuple === undefined || (isTcp && !arePossible(packet.flags))) return INVALID;
  const found = connections.find(tuple, nowUs);
  if (found !== undefined) {
    const verdict = isTcp ? watchTcp(found.connection, packet.flags, found.isReply) : "valid";
    if (verdict === "invalid") return INVALID;
    if (verdict === "valid") return takeUp(connections, limits, found, tuple, packet.flags, nowUs);
    connections.remove(found.connection);
  }
  const mayBegin = isTcp ? beginsTcp(packet.flags) : isRequest(tuple);
  return mayBegin ? { state: "new", tuple, found: undefined } : INVALID;
}

function takeUp<A extends number | bigint>(
  connections: Connections<A>,
  limits: ConnectionLimits,
  found: Found<A>,
  tuple: Tuple<A>,
  flags: number,
  nowUs: number,
): Track<A> {
  const { connection, isReply } = found;
  const isRefusal = connection.phase === CLOSED && !connection.isReplied && (flags & TCP_RST) !== 0;
  if (isReply) connection.isReplied = true;
  // A connection that was refused at once is not kept: the next SYN begins another one.
  if (tuple.protocol === PROTOCOL_TCP && isRefusal) connections.remove(connection);
  else connections.refresh(connection, limits, nowUs);
  return { state: connection.isReplied ? "established" : "new", tuple, found };
}

/** Classifies an ICMP error by the packet that it quotes. @param quoted undefined if the quote cannot be read. */
export function trackError<A extends number | bigint>(
  connections: Connections<A>,
  quoted: Tuple<A> | undefined,
  nowUs: number,
): Track<A> {
  // The error goes against the quoted packet, as a response does.
  const found = quoted && connections.find(inverse(quoted), nowUs);
  return found ? { state: "related", tuple: undefined, found } : INVALID;
}
