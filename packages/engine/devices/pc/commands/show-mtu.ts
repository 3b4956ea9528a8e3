/** The tables of `show mtu6` and `show mtu`: MTU, seconds until the entry expires, host. */

import { livePathMtus, type PathMtu } from "../../../net/packet/path-mtus.ts";
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import type { Host } from "../host.ts";

const MTU_COLUMNS = 5;
const SECONDS_COLUMNS = 3;
/** VPCS prints the prefix length of its link-local address after every address. */
const PREFIX_LENGTH_SHOWN = 64;

/** Formats the entries, one per line. @param families `both` also lists the path MTUs of IPv4. */
export function mtuTable({ state, world }: Host, families: "ipv6" | "both"): string {
  return livePathMtus(state, world.nowUs)
    .filter(({ target }) => families === "both" || typeof target === "string")
    .map((entry) => rowOf(entry, world.nowUs))
    .join("");
}

function rowOf({ target, mtuBytes, expiresUs }: PathMtu, nowUs: number): string {
  const seconds = Math.ceil((expiresUs - nowUs) / 1_000_000);
  const address = typeof target === "string" ? `${target}/${PREFIX_LENGTH_SHOWN}` : formatIpv4(target);
  return `${String(mtuBytes).padStart(MTU_COLUMNS)}\t${String(seconds).padStart(SECONDS_COLUMNS)}\t${address}\n`;
}
