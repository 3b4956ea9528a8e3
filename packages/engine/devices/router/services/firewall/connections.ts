/**
 * The connections of one address family: each is in the table twice, by the tuple of its first packet and by that of the responses.
 * With address translation the second is not the first turned round.
 *
 * Nothing happens when a connection expires: the next lookup that finds it removes it, so a lab needs no timers for connections.
 */
import { PROTOCOL_TCP, PROTOCOL_UDP } from "../../../../wire/ipv4.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import { OPEN, type TcpPhase, type TcpWatch } from "./tcp-phase.ts";
import { isIcmp, type Tuple } from "./tuple.ts";

export interface Connection<A extends number | bigint> extends TcpWatch {
  /** The tuple of the first packet, as it arrived. */
  readonly original: Tuple<A>;
  /** The tuple of the responses, as they arrive. */
  readonly reply: Tuple<A>;
  /** A response was seen. */
  isReplied: boolean;
  expiresUs: number;
}

export interface Found<A extends number | bigint> {
  readonly connection: Connection<A>;
  readonly isReply: boolean;
}

interface Entry<A extends number | bigint> extends Found<A> {
  readonly tuple: Tuple<A>;
  readonly hash: number;
  next: Entry<A> | undefined;
}

/** The number of connections of both families, and how many there may be. */
export interface Room {
  used: number;
  limit: number;
}

export class Connections<A extends number | bigint> {
  readonly #room: Room;
  readonly #all = new Set<Connection<A>>();
  readonly #chains = new Map<number, Entry<A>>();
  readonly #removed: (connection: Connection<A>) => void;
  /** No connection expires before. */
  #earliestUs = Number.POSITIVE_INFINITY;

  /** @param removed is called for each connection that leaves the table. */
  constructor(room: Room, removed: (connection: Connection<A>) => void = () => {}) {
    this.#room = room;
    this.#removed = removed;
  }

  find(tuple: Tuple<A>, nowUs: number): Found<A> | undefined {
    let entry = this.#chains.get(hashOf(tuple));
    while (entry !== undefined && !isSame(entry.tuple, tuple)) entry = entry.next;
    if (entry === undefined || nowUs < entry.connection.expiresUs) return entry;
    this.remove(entry.connection);
    return undefined;
  }

  /** Whether there is room for one more, after expired ones were removed. */
  hasRoom(nowUs: number): boolean {
    if (this.#room.used >= this.#room.limit && this.#earliestUs <= nowUs) this.expire(nowUs);
    return this.#room.used < this.#room.limit;
  }

  /** @param connection whose tuples are not in the table. */
  add(connection: Connection<A>): void {
    this.#all.add(connection);
    this.#room.used += 1;
    this.#link(connection.original, connection, false);
    this.#link(connection.reply, connection, true);
    this.#earliestUs = Math.min(this.#earliestUs, connection.expiresUs);
  }

  /** Sets the timeout that the connection has in its present phase. */
  refresh(connection: Connection<A>, limits: ConnectionLimits, nowUs: number): void {
    connection.expiresUs = nowUs + timeoutOf(connection, limits) * 1_000_000;
    if (connection.expiresUs < this.#earliestUs) this.#earliestUs = connection.expiresUs;
  }

  remove(connection: Connection<A>): void {
    if (!this.#all.delete(connection)) return;
    this.#room.used -= 1;
    this.#unlink(connection.original);
    this.#unlink(connection.reply);
    this.#removed(connection);
  }

  expire(nowUs: number): void {
    this.#earliestUs = Number.POSITIVE_INFINITY;
    for (const connection of this.#all) {
      if (connection.expiresUs <= nowUs) this.remove(connection);
      else if (connection.expiresUs < this.#earliestUs) this.#earliestUs = connection.expiresUs;
    }
  }

  /** The youngest connection that began at a port of a host, and whose responses go to one of the addresses. */
  latestFrom(
    { protocol, source, sourcePort }: Tuple<A>,
    addresses: readonly A[],
    nowUs: number,
  ): Connection<A> | undefined {
    let latest: Connection<A> | undefined;
    for (const connection of this.#all) {
      const { original, reply, expiresUs } = connection;
      if (original.source !== source || original.sourcePort !== sourcePort) continue;
      if (original.protocol !== protocol || nowUs >= expiresUs || !addresses.includes(reply.target)) continue;
      latest = connection;
    }
    return latest;
  }

  /** In the order in which they began, without expired ones. */
  list(nowUs: number): Connection<A>[] {
    this.expire(nowUs);
    return [...this.#all];
  }

  clear(): void {
    for (const connection of [...this.#all]) this.remove(connection);
  }

  #link(tuple: Tuple<A>, connection: Connection<A>, isReply: boolean): void {
    const hash = hashOf(tuple);
    this.#chains.set(hash, { tuple, hash, connection, isReply, next: this.#chains.get(hash) });
  }

  #unlink(tuple: Tuple<A>): void {
    const hash = hashOf(tuple);
    let entry = this.#chains.get(hash);
    let before: Entry<A> | undefined;
    while (entry !== undefined && entry.tuple !== tuple) {
      before = entry;
      entry = entry.next;
    }
    if (entry === undefined) return;
    if (before !== undefined) before.next = entry.next;
    else if (entry.next !== undefined) this.#chains.set(hash, entry.next);
    else this.#chains.delete(hash);
  }
}

export function timeoutOf(
  { original: { protocol }, phase }: Connection<number | bigint>,
  limits: ConnectionLimits,
): number {
  if (protocol === PROTOCOL_TCP)
    return phase === OPEN ? limits.tcp_established_seconds : limits.tcp_transitory_seconds;
  if (protocol === PROTOCOL_UDP) return limits.udp_seconds;
  return isIcmp(protocol) ? limits.icmp_seconds : limits.other_seconds;
}

export const makeConnection = <A extends number | bigint>(
  original: Tuple<A>,
  reply: Tuple<A>,
): Connection<A> => ({
  original,
  reply,
  phase: 0 as TcpPhase,
  fins: 0,
  isReplied: false,
  expiresUs: 0,
});

/** Whether the responses are not the first packet turned round. */
export const isTranslated = ({ original, reply }: Connection<number>): boolean =>
  original.source !== reply.target ||
  original.sourcePort !== reply.targetPort ||
  original.target !== reply.source ||
  original.targetPort !== reply.sourcePort;

const isSame = <A extends number | bigint>(one: Tuple<A>, other: Tuple<A>): boolean =>
  one.sourcePort === other.sourcePort &&
  one.targetPort === other.targetPort &&
  one.source === other.source &&
  one.target === other.target &&
  one.protocol === other.protocol;

function hashOf({ protocol, source, sourcePort, target, targetPort }: Tuple<number | bigint>): number {
  let hash = Math.imul(low(source) ^ protocol, 0x9e37_79b1);
  hash = Math.imul(hash ^ low(target) ^ (hash >>> 15), 0x85eb_ca6b);
  hash = Math.imul(hash ^ sourcePort ^ (hash >>> 13), 0xc2b2_ae35);
  hash = Math.imul(hash ^ targetPort ^ (hash >>> 16), 0x27d4_eb2f);
  // Without the highest bits, V8 keeps the key as a small integer.
  return (hash ^ (hash >>> 15)) & 0x3fff_ffff;
}

/** Bits of an address that differ between the hosts of a network and between networks. */
const low = (address: number | bigint): number =>
  typeof address === "number" ? address | 0 : Number(BigInt.asIntN(32, address ^ (address >> 64n)));
