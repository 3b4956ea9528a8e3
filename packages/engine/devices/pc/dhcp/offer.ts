/** Reads a server's offer or acknowledgement and applies it to the PC's state. */
import { readU32 } from "../../../base/bytes.ts";
import {
  type Dhcp,
  dhcpNumber,
  dhcpOption,
  OPTION_DNS,
  OPTION_DOMAIN,
  OPTION_LEASE_TIME,
  OPTION_REBINDING_TIME,
  OPTION_RENEWAL_TIME,
  OPTION_ROUTER,
  OPTION_SERVER,
  OPTION_SUBNET_MASK,
} from "../../../wire/dhcp.ts";
import { isMulticastIpv4, prefixLengthOf } from "../../../wire/ipv4-address.ts";
import type { Host, ReceivedIpv4 } from "../host.ts";
import type { Lease } from "../state.ts";

/** The infinite lease time (RFC 2131 section 3.3); also the lease time if the server names none. */
export const INFINITE_SECONDS = 0xffff_ffff;

/** The same default as for a typed address without prefix length. */
const DEFAULT_PREFIX_LENGTH = 24;
const DOMAIN_MAX_CHARACTERS = 64;

export interface DhcpReply {
  readonly message: Dhcp;
  readonly packet: ReceivedIpv4;
}

/** Returns the server's address. Plain BOOTP servers send no server option, so the packet's source replaces it. */
export const serverOf = ({ message, packet }: DhcpReply): number =>
  dhcpNumber(message, OPTION_SERVER) ?? packet.header.source;

/** Whether the message assigns an address that a host can have. */
export function givesAddress({ yourIp }: Dhcp): boolean {
  const firstByte = yourIp >>> 24;
  return firstByte !== 0 && firstByte !== 127 && firstByte !== 255 && !isMulticastIpv4(yourIp);
}

/** Applies address, mask, router, name servers and domain to the PC. Values that the server does not send stay unchanged. */
export function applyReply({ state }: Host, { message }: DhcpReply): void {
  const mask = dhcpNumber(message, OPTION_SUBNET_MASK);
  state.ipv4 = {
    address: message.yourIp,
    prefixLength: (mask && prefixLengthOf(mask)) || DEFAULT_PREFIX_LENGTH,
    gateway: dhcpNumber(message, OPTION_ROUTER) ?? 0,
  };
  const servers = dhcpOption(message, OPTION_DNS);
  if (servers && servers.length >= 4)
    state.dns = [readU32(servers, 0), servers.length >= 8 ? readU32(servers, 4) : 0];
  const domain = dhcpOption(message, OPTION_DOMAIN);
  if (domain) state.domain = domainOf(domain) ?? state.domain;
}

/** Returns undefined for an invalid name, because the PC would print it, save it and use it in DNS queries. */
function domainOf(value: Uint8Array): string | undefined {
  const text = String.fromCharCode(...value).replace(/\0+$/, "");
  const name = text.replace(/^\.+|\.+$/g, "");
  return name.length <= DOMAIN_MAX_CHARACTERS && /^[\w-]+(\.[\w-]+)*$/.test(name) ? name : undefined;
}

/** Makes a lease that counts from `obtainedUs`. Renewal and rebinding default to a half and seven eighths of the lease. */
export function leaseOf(reply: DhcpReply, obtainedUs: number): Lease {
  // A lease of 0 s would expire and be requested again in an endless loop.
  const leaseSeconds = Math.max(dhcpNumber(reply.message, OPTION_LEASE_TIME) ?? INFINITE_SECONDS, 1);
  // Nor may the times be 0: a client that renews at once would loop.
  const part = (option: number, share: number): number =>
    clamp(dhcpNumber(reply.message, option) ?? Math.floor(leaseSeconds * share), 1, leaseSeconds);
  const renewSeconds = part(OPTION_RENEWAL_TIME, 1 / 2);
  return {
    server: serverOf(reply),
    serverMac: reply.packet.sourceMac,
    obtainedUs,
    leaseSeconds,
    renewSeconds,
    rebindSeconds: Math.max(part(OPTION_REBINDING_TIME, 7 / 8), renewSeconds),
  };
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);
