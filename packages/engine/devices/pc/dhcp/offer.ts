/** What a server's offer or acknowledgement holds, and the state of a PC that takes it. */
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

/** As a lease time: for ever (RFC 2131 section 3.3), and what a server means that names none. */
export const INFINITE_SECONDS = 0xffff_ffff;

/** As for an address that is typed without one. */
const DEFAULT_PREFIX_LENGTH = 24;
const DOMAIN_MAX_CHARACTERS = 64;

export interface DhcpReply {
  readonly message: Dhcp;
  readonly packet: ReceivedIpv4;
}

/** Who has sent it: servers of plain BOOTP do not say so in an option. */
export const serverOf = ({ message, packet }: DhcpReply): number =>
  dhcpNumber(message, OPTION_SERVER) ?? packet.header.source;

/** Whether it gives an address that a host can have. */
export function givesAddress({ yourIp }: Dhcp): boolean {
  const firstByte = yourIp >>> 24;
  return firstByte !== 0 && firstByte !== 127 && firstByte !== 255 && !isMulticastIpv4(yourIp);
}

/** Address, mask, router, name servers and domain become the PC's; what the server does not name stays as it was. */
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

/** Undefined for what is no name: it would be printed, saved and asked for. */
function domainOf(value: Uint8Array): string | undefined {
  const text = String.fromCharCode(...value).replace(/\0+$/, "");
  const name = text.replace(/^\.+|\.+$/g, "");
  return name.length <= DOMAIN_MAX_CHARACTERS && /^[\w-]+(\.[\w-]+)*$/.test(name) ? name : undefined;
}

/** A lease whose times count from `obtainedUs`; a half and seven eighths stand for times the server does not name. */
export function leaseOf(reply: DhcpReply, obtainedUs: number): Lease {
  // A lease of no time at all would be lost and asked for without end.
  const leaseSeconds = Math.max(dhcpNumber(reply.message, OPTION_LEASE_TIME) ?? INFINITE_SECONDS, 1);
  // Not 0 either: a client that renews at once has no end.
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
