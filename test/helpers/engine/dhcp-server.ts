/** A DHCP server for tests: sends configured messages and records the received ones. */

import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_IPV4,
  encodeEthernet,
  etherType,
} from "@wirelab/engine/wire/ethernet";
import { decodeIpv4, encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { decodeUdp, encodeUdp4 } from "@wirelab/engine/wire/udp";
import {
  DHCP_ACK,
  DHCP_DISCOVER,
  DHCP_OFFER,
  DHCP_REQUEST,
  type Dhcp,
  decodeDhcp,
  encodeDhcp,
  messageType,
  numberOption,
  OPTION_DNS,
  OPTION_DOMAIN,
  OPTION_LEASE_TIME,
  OPTION_MESSAGE_TYPE,
  OPTION_ROUTER,
  OPTION_SERVER,
  OPTION_SUBNET_MASK,
} from "../../../packages/engine/wire/dhcp.ts";

export const SERVER_IP = 0x0a01_0001;
export const SERVER_MAC = 0x0200_0000_00aa;
export const OFFERED_IP = 0x0a01_0032;

type Options = Dhcp["options"];

export const USUAL_OPTIONS: Options = [
  [OPTION_SERVER, numberOption(SERVER_IP)],
  [OPTION_LEASE_TIME, numberOption(120)],
  [OPTION_SUBNET_MASK, numberOption(0xffff_ff00)],
  [OPTION_ROUTER, numberOption(SERVER_IP)],
  [OPTION_DNS, numberOption(0x0101_0101, 0x0202_0202)],
  [OPTION_DOMAIN, new TextEncoder().encode("lab.test")],
];

/** The message of a client's frame; null for any other frame. */
export function clientMessage(frame: Uint8Array): Dhcp | null {
  const header = etherType(frame) === ETHERTYPE_IPV4 ? decodeIpv4(frame, ETHERNET_HEADER_BYTES) : null;
  const udp = header?.protocol === 17 ? decodeUdp(frame.subarray(ETHERNET_HEADER_BYTES + 20)) : null;
  return udp?.targetPort === 67 ? decodeDhcp(udp.data) : null;
}

/** A server's reply, in a frame to the client's MAC by default. */
export function reply(
  to: Dhcp,
  type: number,
  options: Options = USUAL_OPTIONS,
  { yourIp = OFFERED_IP, mac = to.clientMac, xid = to.xid } = {},
): Uint8Array {
  const data = encodeDhcp({
    ...to,
    op: 2,
    xid,
    secs: 0,
    clientIp: 0,
    yourIp,
    serverIp: SERVER_IP,
    options: [[OPTION_MESSAGE_TYPE, Uint8Array.of(type)], ...options],
  });
  const udp = encodeUdp4(SERVER_IP, yourIp, { sourcePort: 67, targetPort: 68, data });
  const [packet] = encodeIpv4({ source: SERVER_IP, target: yourIp, protocol: 17 }, udp);
  return encodeEthernet(mac, SERVER_MAC, ETHERTYPE_IPV4, packet!);
}

export type Rule = (message: Dhcp) => Uint8Array | undefined;

/** Offers and acknowledges. @param options of both replies. */
export const goodServer =
  (options: Options = USUAL_OPTIONS): Rule =>
  (message) => {
    if (messageType(message) === DHCP_DISCOVER) return reply(message, DHCP_OFFER, options);
    return messageType(message) === DHCP_REQUEST ? reply(message, DHCP_ACK, options) : undefined;
  };

/** A peer of the bench that replies by a function. */
export class DhcpServer {
  readonly heard: Dhcp[] = [];
  rule: Rule;

  constructor(rule: Rule = goodServer()) {
    this.rule = rule;
  }

  readonly answer = (frame: Uint8Array, send: (frame: Uint8Array) => void): void => {
    const message = clientMessage(frame);
    if (message === null) return;
    this.heard.push(message);
    const answer = this.rule(message);
    if (answer) send(answer);
  };
}
