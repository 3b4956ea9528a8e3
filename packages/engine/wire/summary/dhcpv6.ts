/** Describes DHCPv6 messages (RFC 8415). */
import { decodeDhcpv6, decodeIaNa, macOfDuid, OPTION6_CLIENT_ID, OPTION6_IA_NA, option6 } from "../dhcpv6.ts";
import { formatIpv6 } from "../ipv6-address.ts";
import { formatMac } from "../mac.ts";
import { hex } from "./packet.ts";

export const DHCPV6_TYPES = [
  "",
  "Solicit",
  "Advertise",
  "Request",
  "Confirm",
  "Renew",
  "Rebind",
  "Reply",
  "Release",
  "Decline",
  "Reconfigure",
  "Information-request",
  "Relay-forward",
  "Relay-reply",
];

/** Returns undefined if the data are not a DHCPv6 message or too short for one. */
export function describeDhcpv6(data: Uint8Array): string | undefined {
  const message = decodeDhcpv6(data);
  if (message === null) return undefined;
  const addresses = message.options.flatMap(([code, value]) =>
    code === OPTION6_IA_NA ? (decodeIaNa(value)?.addresses ?? []) : [],
  );
  const mac = macOfDuid(option6(message, OPTION6_CLIENT_ID) ?? new Uint8Array());
  return [
    DHCPV6_TYPES[message.type] || `message type ${message.type}`,
    ...addresses.map(formatIpv6),
    ...(mac === undefined ? [] : [`client=${formatMac(mac)}`]),
    `xid=${hex(message.transaction, 6)}`,
  ].join(" ");
}
