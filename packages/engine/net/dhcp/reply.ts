/** The DHCP server's replies and their destinations (RFC 2131, sections 4.1 and 4.3; options of RFC 2132). */
import {
  DHCP_ACK,
  DHCP_CLIENT_PORT,
  DHCP_NAK,
  type DHCP_OFFER,
  DHCP_SERVER_PORT,
  type Dhcp,
  dhcpOption,
  encodeDhcp,
  numberOption,
  OPTION_DNS,
  OPTION_DOMAIN,
  OPTION_LEASE_TIME,
  OPTION_MESSAGE_TYPE,
  OPTION_PARAMETERS,
  OPTION_REBINDING_TIME,
  OPTION_RENEWAL_TIME,
  OPTION_ROUTER,
  OPTION_SERVER,
  OPTION_SUBNET_MASK,
} from "../../wire/dhcp.ts";
import { ETHERTYPE_IPV4, encodeEthernet } from "../../wire/ethernet.ts";
import { encodeIpv4, PROTOCOL_UDP } from "../../wire/ipv4.ts";
import { BROADCAST_IPV4 } from "../../wire/ipv4-address.ts";
import { BROADCAST_MAC } from "../../wire/mac.ts";
import { encodeUdp4 } from "../../wire/udp.ts";
import type { Interface4 } from "../plane/tables.ts";
import type { Pool } from "./pool.ts";

const BOOT_REPLY = 2;
export const FLAG_BROADCAST = 0x8000;

type Option = readonly [code: number, value: Uint8Array];

/** @param yourIp 0 in a NAK, and for a client that was configured otherwise (INFORM). */
export function makeReply(
  request: Dhcp,
  type: typeof DHCP_OFFER | typeof DHCP_ACK | typeof DHCP_NAK,
  server: Interface4,
  options: readonly Option[],
  yourIp: number,
): Dhcp {
  const { xid, flags, relayIp, clientMac } = request;
  return {
    op: BOOT_REPLY,
    xid,
    secs: 0,
    flags,
    clientIp: type === DHCP_ACK ? request.clientIp : 0,
    yourIp,
    serverIp: type === DHCP_NAK ? 0 : server.address,
    relayIp,
    clientMac,
    options: [
      [OPTION_MESSAGE_TYPE, Uint8Array.of(type)],
      [OPTION_SERVER, numberOption(server.address)],
      ...options,
    ],
  };
}

/** Renewal at half of the lease, rebinding at seven eighths (RFC 2131, section 4.4.5). */
export const leaseOptions = (leaseSeconds: number): Option[] => [
  [OPTION_LEASE_TIME, numberOption(leaseSeconds)],
  [OPTION_RENEWAL_TIME, numberOption(Math.floor(leaseSeconds / 2))],
  [OPTION_REBINDING_TIME, numberOption(Math.floor((leaseSeconds * 7) / 8))],
];

/**
 * Returns the mask, and the router, name servers and domain if the client's parameter list has them or is absent.
 * @param router the client's gateway, with the mask of its subnet.
 */
export function networkOptions(request: Dhcp, router: Interface4, { dns, domain }: Pool): Option[] {
  const wanted = dhcpOption(request, OPTION_PARAMETERS);
  const options: Option[] = [
    [OPTION_ROUTER, numberOption(router.address)],
    [OPTION_DNS, numberOption(...dns)],
    [OPTION_DOMAIN, new TextEncoder().encode(domain)],
  ];
  return [
    [OPTION_SUBNET_MASK, numberOption(router.mask)],
    ...options.filter(([code, value]) => value.length > 0 && (wanted?.includes(code) ?? true)),
  ];
}

/**
 * Makes a frame from the server to the client's MAC, even before the client has its address, or a broadcast.
 * @param data the reply's bytes, if a relay passes them on.
 */
export function frameReply(
  reply: Dhcp,
  serverMac: number,
  server: Interface4,
  data = encodeDhcp(reply),
): Uint8Array {
  const toAll = isForAll(reply);
  const target = toAll ? BROADCAST_IPV4 : reply.clientIp || reply.yourIp;
  const udp = { sourcePort: DHCP_SERVER_PORT, targetPort: DHCP_CLIENT_PORT, data };
  const [packet] = encodeIpv4(
    { source: server.address, target, protocol: PROTOCOL_UDP },
    encodeUdp4(server.address, target, udp),
  );
  return encodeEthernet(toAll ? BROADCAST_MAC : reply.clientMac, serverMac, ETHERTYPE_IPV4, packet!);
}

/** Whether to broadcast: a NAK has no destination address, and a client without an address may request a broadcast. */
function isForAll({ clientIp, yourIp, flags }: Dhcp): boolean {
  return clientIp === 0 && (yourIp === 0 || (flags & FLAG_BROADCAST) !== 0);
}
