/**
 * Which of several equal routes carries a packet: all packets of a flow take one, so they stay in order.
 *
 *     TCP, UDP            addresses, protocol and ports
 *     others, fragments   addresses and protocol: all fragments of a packet take one way
 *
 * These are the fields that Linux takes (`fib_multipath_hash_policy=1`). The routes divide the range of the hash in equal parts, in the order of the
 * configuration (RFC 2992). Each router mixes in its own MAC address: otherwise a second router would find only flows that the first one has sent its
 * way, and send all of them the same way again.
 */
import { mix32 } from "../../base/mix32.ts";
import type { Ipv4Header } from "../../wire/ipv4.ts";
import type { Ipv6Header } from "../../wire/ipv6.ts";
import { type Fields, fieldsAt, fieldsOf4, fieldsOf6, isFragment6, NONE } from "./fields.ts";

export type Flow<A extends number | bigint> = Pick<
  Fields<A>,
  "source" | "target" | "protocol" | "sourcePort" | "targetPort"
>;

const WORDS_OF_IPV6 = [96n, 64n, 32n, 0n];

export const flowOf4 = (frame: Uint8Array, header: Ipv4Header): Flow<number> =>
  toFlow(fieldsOf4(frame, header), header.moreFragments || header.fragmentOffset > 0);

export const flowOf6 = (frame: Uint8Array, header: Ipv6Header): Flow<bigint> =>
  toFlow(fieldsOf6(frame, header), isFragment6(frame, header));

/** The flow of a packet that is not yet encoded. */
export const flowOfOwn = <A extends number | bigint>(
  source: A,
  target: A,
  protocol: number,
  payload: Uint8Array,
): Flow<A> => fieldsAt(payload, 0, payload.length, protocol, false, source, target);

export const toFlow = <A extends number | bigint>(fields: Flow<A>, isFragment: boolean): Flow<A> =>
  isFragment ? { ...fields, sourcePort: NONE, targetPort: NONE } : fields;

/** @param ways at least one. @param seed differs from router to router. */
export function wayOf<A extends number | bigint, W>(ways: readonly W[], flow: Flow<A>, seed: number): W {
  const { source, target, protocol, sourcePort, targetPort } = flow;
  let hash = mix32(mix32(seed) ^ protocol);
  for (const address of [source, target]) for (const word of wordsOf(address)) hash = mix32(hash ^ word);
  hash = mix32(hash ^ ((sourcePort << 16) | (targetPort & 0xffff)));
  return ways[Math.floor((hash / 2 ** 32) * ways.length)]!;
}

const wordsOf = (address: number | bigint): readonly number[] =>
  typeof address === "number"
    ? [address]
    : WORDS_OF_IPV6.map((shift) => Number(BigInt.asUintN(32, address >> shift)));
