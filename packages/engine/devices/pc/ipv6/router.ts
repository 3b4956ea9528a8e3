/** Learns from a Router Advertisement (RFC 4861 section 4.2): the router, and an address if the PC has none. */
import { readU16, readU32 } from "../../../base/bytes.ts";
import {
  findOption,
  OPTION_MTU,
  OPTION_PREFIX,
  OPTION_SOURCE_LINK_ADDRESS,
  ROUTER_ADVERTISEMENT,
} from "../../../wire/icmpv6.ts";
import { PROTOCOL_ICMPV6 } from "../../../wire/ipv4.ts";
import { eui64Of, formatIpv6, isLinkLocal, isMulticastIpv6, readIpv6 } from "../../../wire/ipv6-address.ts";
import { isGroupMac, readMac } from "../../../wire/mac.ts";
import { isValidDiscovery } from "../../../wire/neighbour-discovery.ts";
import type { Host, ReceivedIpv6 } from "../host.ts";
import { DEFAULT_MTU_BYTES } from "../state.ts";
import { MTU6_MIN_BYTES } from "./link-mtu.ts";

const HEADER_BYTES = 16;
const LIFETIME_OFFSET = 6;
const PREFIX_OPTION_BYTES = 32;
const FLAG_AUTONOMOUS = 0x40;
/** Prefix bits beside a 64-bit interface identifier made from a MAC (RFC 4862, 5.5.3 d). */
const PREFIX_BITS = 64;

/** Accepts any current hop limit. @returns whether the packet was a valid advertisement. */
export function learnRouter(host: Host, packet: ReceivedIpv6): boolean {
  if (!isAdvertisement(packet)) return false;
  const { payload } = packet;
  learnRouterMac(host, routerMac(packet), readU16(payload, LIFETIME_OFFSET));
  if (host.state.ipv6.global === undefined) configure(host, payload);
  return true;
}

function isAdvertisement({ header, payload }: ReceivedIpv6): boolean {
  if (header.nextHeader !== PROTOCOL_ICMPV6 || payload[0] !== ROUTER_ADVERTISEMENT) return false;
  return isValidDiscovery(header, payload);
}

function routerMac({ payload, sourceMac }: ReceivedIpv6): number {
  const option = findOption(payload, HEADER_BYTES, OPTION_SOURCE_LINK_ADDRESS);
  const mac = option && readMac(option, 2);
  return mac === undefined || isGroupMac(mac) ? sourceMac : mac;
}

/** A lifetime of 0 means: not a default router. Such a router may still announce prefixes (RFC 4861, 6.3.4). */
function learnRouterMac({ state }: Host, mac: number, lifetimeSeconds: number): void {
  if (lifetimeSeconds > 0) state.ipv6.routerMac = mac;
  else if (state.ipv6.routerMac === mac) state.ipv6.routerMac = undefined;
}

function configure({ mac, state }: Host, message: Uint8Array): void {
  const prefix = prefixOptions(message).find(isForAddresses);
  if (prefix) {
    const network = (readIpv6(prefix, 16) >> 64n) << 64n;
    const address = formatIpv6(network | eui64Of(mac));
    state.ipv6.global = { address, prefixLength: PREFIX_BITS, eui64: false };
  }
  const option = findOption(message, HEADER_BYTES, OPTION_MTU);
  const mtuBytes = option ? readU32(option, 4) : 0;
  // Ethernet's MTU is the upper limit (RFC 2464, section 2).
  if (mtuBytes >= MTU6_MIN_BYTES && mtuBytes <= DEFAULT_MTU_BYTES) state.ipv6.mtuBytes = mtuBytes;
}

function prefixOptions(message: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  let at = HEADER_BYTES;
  for (;;) {
    const option = findOption(message, at, OPTION_PREFIX);
    if (option === undefined) return found;
    found.push(option);
    at = option.byteOffset - message.byteOffset + option.length;
  }
}

/** Whether a prefix is for stateless addresses, still valid, and neither link-local nor multicast (RFC 4862, 5.5.3). */
function isForAddresses(option: Uint8Array): boolean {
  if (option.length < PREFIX_OPTION_BYTES || option[2] !== PREFIX_BITS) return false;
  const network = readIpv6(option, 16);
  const isAutonomous = ((option[3] as number) & FLAG_AUTONOMOUS) !== 0;
  const isValid = readU32(option, 4) > 0;
  return isAutonomous && isValid && !isLinkLocal(network) && !isMulticastIpv6(network) && network !== 0n;
}
