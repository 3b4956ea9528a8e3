/** The router advertisement of a port (RFC 4861, section 4.2): its prefix, its MAC, and its MTU if that is not the default. */

import { concatBytes, writeU16, writeU32 } from "../../base/bytes.ts";
import {
  encodeIcmpv6,
  OPTION_MTU,
  OPTION_PREFIX,
  OPTION_SOURCE_LINK_ADDRESS,
  ROUTER_ADVERTISEMENT,
} from "../../wire/icmpv6.ts";
import { writeIpv6 } from "../../wire/ipv6-address.ts";
import { writeMac } from "../../wire/mac.ts";
import { DEFAULT_MTU_BYTES } from "../address/mtus.ts";
import { network6 } from "../address/prefix.ts";
import type { Interface6, RouterPort } from "./tables.ts";

const CURRENT_HOP_LIMIT = 64;
const ROUTER_LIFETIME_SECONDS = 1_800;
const PREFIX_VALID_SECONDS = 2_592_000;
const PREFIX_PREFERRED_SECONDS = 604_800;
const FLAG_ON_LINK = 0x80;
const FLAG_AUTONOMOUS = 0x40;
/** Hosts form addresses from a prefix and an identifier of 64 bits (RFC 4862, RFC 7421). */
const AUTONOMOUS_PREFIX_LENGTH = 64;

/** The ICMPv6 message, without its checksum. */
export function makeRouterAdvertisement(
  { mac, mtuBytes }: RouterPort,
  ipv6: Interface6,
  flags: number,
): Uint8Array {
  // 0: the router does not specify reachable and retransmission time.
  const times = new Uint8Array(8);
  const options = [prefixOption(ipv6), linkAddressOption(mac)];
  if (mtuBytes !== DEFAULT_MTU_BYTES) options.push(mtuOption(mtuBytes));
  const rest = CURRENT_HOP_LIMIT * 0x100_0000 + flags * 0x1_0000 + ROUTER_LIFETIME_SECONDS;
  return encodeIcmpv6(ROUTER_ADVERTISEMENT, 0, rest, concatBytes(times, ...options));
}

function prefixOption({ address, prefixLength }: Interface6): Uint8Array {
  const option = new Uint8Array(32);
  const autonomous = prefixLength === AUTONOMOUS_PREFIX_LENGTH ? FLAG_AUTONOMOUS : 0;
  option.set([OPTION_PREFIX, 4, prefixLength, FLAG_ON_LINK | autonomous]);
  writeU32(option, 4, PREFIX_VALID_SECONDS);
  writeU32(option, 8, PREFIX_PREFERRED_SECONDS);
  writeIpv6(option, 16, network6(address, prefixLength));
  return option;
}

function linkAddressOption(mac: number): Uint8Array {
  const option = new Uint8Array([OPTION_SOURCE_LINK_ADDRESS, 1, 0, 0, 0, 0, 0, 0]);
  writeMac(option, 2, mac);
  return option;
}

function mtuOption(mtuBytes: number): Uint8Array {
  const option = new Uint8Array([OPTION_MTU, 1, 0, 0, 0, 0, 0, 0]);
  writeU16(option, 6, mtuBytes);
  return option;
}
