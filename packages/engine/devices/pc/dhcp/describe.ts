/**
 * Formats a DHCP message for `ip dhcp -d`: its addresses, a line for each option that has a title here, a blank line.
 */
import { readU32 } from "../../../base/bytes.ts";
import {
  type Dhcp,
  OPTION_CLIENT_ID,
  OPTION_DNS,
  OPTION_DOMAIN,
  OPTION_HOST_NAME,
  OPTION_LEASE_TIME,
  OPTION_MESSAGE_TYPE,
  OPTION_REBINDING_TIME,
  OPTION_RENEWAL_TIME,
  OPTION_REQUESTED_ADDRESS,
  OPTION_ROUTER,
  OPTION_SERVER,
  OPTION_SUBNET_MASK,
} from "../../../wire/dhcp.ts";
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import { formatMac, readMac } from "../../../wire/mac.ts";

const OPCODES = ["", "REQUEST", "REPLY"];
const MESSAGE_TYPES = ["", "Discover", "Offer", "Request", "Decline", "Ack", "Nak", "Release", "Inform"];

export function describeDhcp(message: Dhcp): string {
  const lines = [
    `Opcode: ${message.op} (${OPCODES[message.op] ?? ""})`,
    `Client IP Address: ${formatIpv4(message.clientIp)}`,
    `Your IP Address: ${formatIpv4(message.yourIp)}`,
    `Server IP Address: ${formatIpv4(message.serverIp)}`,
    `Gateway IP Address: ${formatIpv4(message.relayIp)}`,
    `Client MAC Address: ${formatMac(message.clientMac)}`,
    ...message.options.flatMap(([code, value]) => describeOption(code, value)),
  ];
  return `${lines.join("\n")}\n\n`;
}

type Show = (value: Uint8Array) => string;

const number: Show = (value) => (value.length >= 4 ? String(readU32(value, 0)) : "");
const address: Show = (value) => (value.length >= 4 ? formatIpv4(readU32(value, 0)) : "");
const addresses: Show = (value) =>
  Array.from({ length: Math.floor(value.length / 4) }, (_, i) => `${address(value.subarray(4 * i))} `).join(
    "",
  );
const hex: Show = (value) => Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
const type: Show = (value) => MESSAGE_TYPES[value[0] ?? 0] ?? String(value[0]);
const client: Show = (value) =>
  value.length === 7 && value[0] === 1
    ? `Hardware Type=Ethernet MAC Address = ${formatMac(readMac(value, 1))}`
    : hex(value);

/** Makes a server's text safe for the console: every character except printable ASCII becomes `?`. */
const printable: Show = (value) =>
  Array.from(value, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "?")).join("");

const OPTIONS: Readonly<Record<number, readonly [title: string, show: Show]>> = {
  [OPTION_SUBNET_MASK]: ["Subnet Mask = ", address],
  [OPTION_ROUTER]: ["Router = ", address],
  [OPTION_DNS]: ["DNS Server = ", addresses],
  [OPTION_HOST_NAME]: ["Host Name = ", printable],
  [OPTION_DOMAIN]: ["Domain = ", printable],
  [OPTION_REQUESTED_ADDRESS]: ["Requested IP Address = ", address],
  [OPTION_LEASE_TIME]: ["Lease Time = ", number],
  [OPTION_MESSAGE_TYPE]: ["Message Type = ", type],
  [OPTION_SERVER]: ["DHCP Server = ", address],
  [OPTION_RENEWAL_TIME]: ["Renewal Time = ", number],
  [OPTION_REBINDING_TIME]: ["Rebinding Time = ", number],
  [OPTION_CLIENT_ID]: ["Client Identifier = ", client],
};

function describeOption(code: number, value: Uint8Array): string[] {
  const known = OPTIONS[code];
  return known ? [`Option ${code}: ${known[0]}${known[1](value)}`] : [];
}
