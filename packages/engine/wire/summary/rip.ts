/** Describes RIP messages (RFC 2453). */
import { formatIpv4, prefixLengthOf } from "../ipv4-address.ts";
import {
  decodeRip,
  RIP_FAMILY_AUTHENTICATION,
  RIP_FAMILY_IPV4,
  RIP_FAMILY_NONE,
  RIP_INFINITY,
  RIP_REQUEST,
  RIP_RESPONSE,
  type Rip,
  type RipEntry,
  ripEntriesEnd,
} from "../rip.ts";

const SHOWN_ROUTES = 3;

/** Returns undefined if the data are not a RIP message or too short for one. */
export function describeRip(data: Uint8Array): string | undefined {
  const message = decodeRip(data.subarray(0, ripEntriesEnd(data)));
  if (message === null) return undefined;
  const version = message.version === 2 ? "" : ` version ${message.version}`;
  return `${commandOf(message)}${version}${detailsOf(message)}`;
}

const commandOf = ({ command }: Rip): string =>
  command === RIP_REQUEST ? "Request" : command === RIP_RESPONSE ? "Response" : `Command ${command}`;

function detailsOf({ command, entries }: Rip): string {
  const [first, ...others] = entries;
  if (first === undefined) return " without routes";
  const isWhole = first.family === RIP_FAMILY_NONE && first.metric === RIP_INFINITY && others.length === 0;
  if (command === RIP_REQUEST && isWhole) return " for the whole table";
  const shown = entries.slice(0, SHOWN_ROUTES).map(describeEntry).join(", ");
  const more = entries.length - SHOWN_ROUTES;
  return ` ${shown}${more > 0 ? ` and ${more} more` : ""}`;
}

function describeEntry({ family, network, mask, nextHop, metric }: RipEntry): string {
  if (family === RIP_FAMILY_AUTHENTICATION) return "authentication";
  if (family !== RIP_FAMILY_IPV4) return `family ${family}`;
  const length = prefixLengthOf(mask);
  const prefix = `${formatIpv4(network)}${length === null ? ` mask ${formatIpv4(mask)}` : `/${length}`}`;
  return `${prefix}${nextHop === 0 ? "" : ` via ${formatIpv4(nextHop)}`} metric=${metric}`;
}
