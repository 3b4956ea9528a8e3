/**
 * The path MTU table, for both families: the largest packet that reaches a host unfragmented, as ICMP errors reported.
 *
 * An entry expires after 10 minutes (RFC 1191, section 6.3; RFC 8201, section 4), by comparison with the clock; then the host
 * tries the link's MTU again. An entry is lowered, never raised. A full table evicts the entry that would expire first.
 */
import { formatIpv6 } from "../../wire/ipv6-address.ts";

/** The path MTU that an ICMP error reported for a host (RFC 1191, RFC 8201). */
export interface PathMtu {
  /** A number for IPv4, text for IPv6. */
  target: number | string;
  mtuBytes: number;
  expiresUs: number;
}

/** What has a table. */
export interface WithPathMtus {
  /** Absent if there are none. */
  pathMtus?: PathMtu[] | undefined;
}

const PATH_MTU_LIFE_US = 600_000_000;
const PATH_MTUS_MAX = 32;

/** Returns the entries that have not expired, in the order in which the host learned them. */
export const livePathMtus = ({ pathMtus = [] }: WithPathMtus, nowUs: number): PathMtu[] =>
  pathMtus.filter(({ expiresUs }) => nowUs < expiresUs);

/** Returns the path MTU in bytes; undefined if it is not known. */
export function pathMtuOf(state: WithPathMtus, target: number | bigint, nowUs: number): number | undefined {
  if (!state.pathMtus?.length) return undefined;
  const key = keyOf(target);
  return livePathMtus(state, nowUs).find((entry) => entry.target === key)?.mtuBytes;
}

/** @param mtuBytes less than the path MTU known so far. */
export function lowerPathMtu(
  state: WithPathMtus,
  target: number | bigint,
  mtuBytes: number,
  nowUs: number,
): void {
  const key = keyOf(target);
  const others = livePathMtus(state, nowUs).filter((entry) => entry.target !== key);
  const entry = { target: key, mtuBytes, expiresUs: nowUs + PATH_MTU_LIFE_US };
  state.pathMtus = [...others, entry].slice(-PATH_MTUS_MAX);
}

const keyOf = (target: number | bigint): number | string =>
  typeof target === "bigint" ? formatIpv6(target) : target;
