/** Describes DHCP messages (RFC 2131). */
import {
  type Dhcp,
  decodeDhcp,
  dhcpNumber,
  dhcpOption,
  messageType,
  OPTION_HOST_NAME,
  OPTION_REQUESTED_ADDRESS,
} from "../dhcp.ts";
import { formatIpv4 } from "../ipv4-address.ts";
import { formatMac } from "../mac.ts";
import { hex } from "./packet.ts";
import { printable } from "./printable.ts";

const TYPES = ["BOOTP", "Discover", "Offer", "Request", "Decline", "Ack", "Nak", "Release", "Inform"];

/** Returns undefined if the data are not a DHCP message or too short for one. */
export function describeDhcp(data: Uint8Array): string | undefined {
  const message = decodeDhcp(data);
  if (message === null) return undefined;
  const type = messageType(message) ?? 0;
  return [TYPES[type] ?? `message type ${type}`, ...detailsOf(message)].join(" ");
}

function detailsOf(message: Dhcp): string[] {
  const requested = dhcpNumber(message, OPTION_REQUESTED_ADDRESS);
  const hostName = dhcpOption(message, OPTION_HOST_NAME);
  return [
    ...(message.yourIp ? [formatIpv4(message.yourIp)] : []),
    ...(requested !== undefined ? [`asks for ${formatIpv4(requested)}`] : []),
    `client=${formatMac(message.clientMac)}`,
    ...(hostName ? [`name=${printable(hostName)}`] : []),
    `xid=${hex(message.xid, 8)}`,
  ];
}
