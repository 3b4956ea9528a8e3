/** The arguments of `ping ADDR [-c N]`. */
import { isLinkLocal, isMulticastIpv6 } from "../../wire/ipv6-address.ts";
import { isHostAddress } from "./ipv4-address-kinds.ts";
import { DEFAULT_PING_COUNT, MAX_PING_COUNT } from "./ping.ts";
import { parseAnyAddress } from "./prefix.ts";

export interface PingRequest {
  readonly target: number | bigint;
  readonly count: number;
}

/** @returns what is wrong, as text. */
export function readPing(args: readonly string[]): PingRequest | string {
  const [text, option, number, ...rest] = args;
  if (text === undefined) return "ping needs an address: ping ADDR [-c N]";
  const target = parseAnyAddress(text);
  if (target === null) return `${text} is not an IPv4 or IPv6 address`;
  if (!canPing(target)) return `${text} cannot be pinged: it is not the routed address of one host`;
  if (option === undefined) return { target, count: DEFAULT_PING_COUNT };
  const count = /^\d{1,9}$/.test(number ?? "") ? Number(number) : 0;
  if (option !== "-c" || rest.length > 0) return "ping takes an address and -c N only";
  if (count < 1 || count > MAX_PING_COUNT) return `-c takes a number from 1 to ${MAX_PING_COUNT}`;
  return { target, count };
}

function canPing(target: number | bigint): boolean {
  if (typeof target === "number") return isHostAddress(target);
  return target > 1n && !isLinkLocal(target) && !isMulticastIpv6(target);
}
