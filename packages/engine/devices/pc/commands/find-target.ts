/** Resolves HOST in `ping HOST` and `trace HOST`. */

import { BROADCAST_IPV4, formatIpv4 } from "../../../wire/ipv4-address.ts";
import { formatIpv6, parseIpv6 } from "../../../wire/ipv6-address.ts";
import { resolveName } from "../dns/resolve.ts";
import type { Host, Script } from "../host.ts";
import type { Notes } from "../notes.ts";
import { parseShortIpv4 } from "./short-ipv4.ts";

export type Target = (Ipv4Target | Ipv6Target) & {
  /** The canonical host name; undefined if the user typed an address. */
  readonly canonical?: string;
};

interface Ipv4Target {
  readonly ipv4: number;
}

interface Ipv6Target {
  readonly ipv6: bigint;
}

/** Returns undefined if the name cannot be resolved. Text of only digits and dots is never a name. */
export function* findTarget(host: Host, text: string, notes: Notes): Script<Target | undefined> {
  if (text.includes(":")) {
    const ipv6 = parseIpv6(text);
    return ipv6 === null || ipv6 === 0n ? undefined : { ipv6 };
  }
  const ipv4 = parseShortIpv4(text);
  if (ipv4 !== null) return ipv4 === 0 || ipv4 === BROADCAST_IPV4 ? undefined : { ipv4 };
  if (/^[\d.]*$/.test(text)) return undefined;
  const found = yield* resolveName(host, text, notes);
  if (found === undefined) return undefined;
  const { canonical } = found;
  if (found.ipv4 !== undefined) return { ipv4: found.ipv4, canonical };
  return found.ipv6 === undefined ? undefined : { ipv6: found.ipv6, canonical };
}

export const targetText = (target: Target): string =>
  "ipv4" in target ? formatIpv4(target.ipv4) : formatIpv6(target.ipv6);

/** The console's text when `findTarget` returns undefined. */
export const unresolvedText = (typed: string): string =>
  typed.includes(":") ? `\nInvalid address: ${typed}\n` : `Cannot resolve ${typed}\n`;
