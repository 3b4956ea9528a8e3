/**
 * The messages of the DHCP client: 364 bytes of BOOTP in a frame of 406, with TTL 16 and type of service 0x10.
 * Fields and the order of options: docs/interface.md, section 9.10.
 */
import {
  DHCP_CLIENT_PORT,
  DHCP_DECLINE,
  DHCP_DISCOVER,
  DHCP_RELEASE,
  DHCP_REQUEST,
  DHCP_SERVER_PORT,
  type Dhcp,
  decodeDhcp,
  encodeDhcp,
  numberOption,
  OPTION_CLIENT_ID,
  OPTION_DNS,
  OPTION_DOMAIN,
  OPTION_HOST_NAME,
  OPTION_MESSAGE_TYPE,
  OPTION_PARAMETERS,
  OPTION_REQUESTED_ADDRESS,
  OPTION_ROUTER,
  OPTION_SERVER,
  OPTION_SUBNET_MASK,
} from "../../../wire/dhcp.ts";
import { PROTOCOL_UDP } from "../../../wire/ipv4.ts";
import { BROADCAST_IPV4 } from "../../../wire/ipv4-address.ts";
import { BROADCAST_MAC, writeMac } from "../../../wire/mac.ts";
import { decodeUdp, encodeUdp4 } from "../../../wire/udp.ts";
import type { Host, Received } from "../host.ts";
import type { Lease } from "../state.ts";

const BOOTP_BYTES = 364;
const TTL = 16;
const LOW_DELAY = 0x10;
const BOOT_REQUEST = 1;
const BOOT_REPLY = 2;
const HARDWARE_ETHERNET = 1;

export type DhcpOption = Dhcp["options"][number];

/** The destination of a message. */
export interface Destination {
  readonly mac: number;
  readonly source: number;
  readonly target: number;
}

export const TO_EVERYBODY: Destination = { mac: BROADCAST_MAC, source: 0, target: BROADCAST_IPV4 };

export const toServer = ({ state }: Host, { server, serverMac }: Lease): Destination => ({
  mac: serverMac,
  source: state.ipv4.address,
  target: server,
});

export function sendDhcp(host: Host, { mac, source, target }: Destination, message: Dhcp): void {
  const udp = { sourcePort: DHCP_CLIENT_PORT, targetPort: DHCP_SERVER_PORT };
  const data = encodeDhcp(message, BOOTP_BYTES);
  host.sendIpv4(
    mac,
    { source, target, protocol: PROTOCOL_UDP, ttl: TTL, typeOfService: LOW_DELAY, id: 0 },
    encodeUdp4(source, target, { ...udp, data }),
  );
}

/** Returns the server's message in our exchange `xid`; undefined for any other packet. */
export function readReply(packet: Received, xid: number): Dhcp | undefined {
  if (packet.kind !== "ipv4" || packet.header.protocol !== PROTOCOL_UDP) return undefined;
  const udp = decodeUdp(packet.payload);
  if (udp?.sourcePort !== DHCP_SERVER_PORT || udp.targetPort !== DHCP_CLIENT_PORT) return undefined;
  const message = decodeDhcp(udp.data);
  return message?.op === BOOT_REPLY && message.xid === xid ? message : undefined;
}

const make = (host: Host, xid: number, options: readonly DhcpOption[]): Dhcp => ({
  op: BOOT_REQUEST,
  xid,
  secs: 0,
  flags: 0,
  clientIp: 0,
  yourIp: 0,
  serverIp: 0,
  relayIp: 0,
  clientMac: host.mac,
  options,
});

/** @param wanted the client's previous address; 0 requests any address. */
export function makeDiscover(host: Host, xid: number, wanted = 0): Dhcp {
  const hint: DhcpOption[] = wanted === 0 ? [] : [requestedAddress(wanted)];
  return make(host, xid, [messageTypeOption(DHCP_DISCOVER), hostName(host), clientId(host), ...hint]);
}

/** Requests the address that a server has offered. */
export const makeRequest = (host: Host, xid: number, server: number, address: number): Dhcp =>
  make(host, xid, [
    messageTypeOption(DHCP_REQUEST),
    [OPTION_SERVER, numberOption(server)],
    requestedAddress(address),
    clientId(host),
    hostName(host),
    WANTED_PARAMETERS,
  ]);

/** Declines an address that another host has (RFC 2131, table 5). */
export const makeDecline = (host: Host, xid: number, server: number, address: number): Dhcp =>
  make(host, xid, [
    messageTypeOption(DHCP_DECLINE),
    [OPTION_SERVER, numberOption(server)],
    requestedAddress(address),
    clientId(host),
  ]);

/** Requests an extension of the current lease (RFC 2131 section 4.3.2). */
export const makeRenewal = (host: Host, xid: number): Dhcp => ({
  ...make(host, xid, [messageTypeOption(DHCP_REQUEST), clientId(host), hostName(host), WANTED_PARAMETERS]),
  clientIp: host.state.ipv4.address,
});

/** Releases the current address. `secs` carries the lease time, low byte first. */
export const makeRelease = (host: Host, { server, leaseSeconds }: Lease): Dhcp => ({
  ...make(host, 0, [
    messageTypeOption(DHCP_RELEASE),
    [OPTION_PARAMETERS, Uint8Array.of(OPTION_SUBNET_MASK, OPTION_ROUTER)],
    [OPTION_SERVER, numberOption(server)],
    requestedAddress(host.state.ipv4.address),
    hostName(host),
    clientId(host),
  ]),
  secs: ((leaseSeconds & 0xff) << 8) | ((leaseSeconds >>> 8) & 0xff),
  clientIp: host.state.ipv4.address,
});

const messageTypeOption = (type: number): DhcpOption => [OPTION_MESSAGE_TYPE, Uint8Array.of(type)];

const requestedAddress = (address: number): DhcpOption => [OPTION_REQUESTED_ADDRESS, numberOption(address)];

const hostName = ({ state }: Host): DhcpOption => [OPTION_HOST_NAME, new TextEncoder().encode(state.name)];

function clientId({ mac }: Host): DhcpOption {
  const value = Uint8Array.of(HARDWARE_ETHERNET, 0, 0, 0, 0, 0, 0);
  writeMac(value, 1, mac);
  return [OPTION_CLIENT_ID, value];
}

const WANTED_PARAMETERS: DhcpOption = [
  OPTION_PARAMETERS,
  Uint8Array.of(OPTION_SUBNET_MASK, OPTION_ROUTER, OPTION_DNS, OPTION_DOMAIN),
];
