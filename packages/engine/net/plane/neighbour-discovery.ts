/**
 * IPv6 neighbour discovery on the router's ports (RFC 4861): answers solicitations of its addresses, solicits neighbours,
 * and answers router solicitations with advertisements. There are no unsolicited advertisements and no redirects.
 */
import { ETHERTYPE_IPV6, encodeEthernet, sourceMac } from "../../wire/ethernet.ts";
import {
  decodeNeighbour,
  encodeNeighbour,
  findOption,
  ND_HOP_LIMIT,
  NEIGHBOUR_ADVERTISEMENT,
  NEIGHBOUR_SOLICITATION,
  type Neighbour,
  OPTION_SOURCE_LINK_ADDRESS,
  ROUTER_SOLICITATION,
} from "../../wire/icmpv6.ts";
import { PROTOCOL_ICMPV6 } from "../../wire/ipv4.ts";
import { encodeIpv6Checked, type Ipv6Header } from "../../wire/ipv6.ts";
import { ALL_NODES, isLinkLocal, solicitedNode } from "../../wire/ipv6-address.ts";
import { ipv6MulticastMac, readMac } from "../../wire/mac.ts";
import { isValidDiscovery } from "../../wire/neighbour-discovery.ts";
import { contains6 } from "../address/prefix.ts";
import type { Core } from "./core.ts";
import type { NeighbourTable } from "./neighbours.ts";
import { makeRouterAdvertisement } from "./router-advertisement.ts";
import type { Interface6, RouterPort } from "./tables.ts";

const FLAG_ROUTER = 0x8000_0000;
const FLAG_SOLICITED = 0x4000_0000;
const FLAG_OVERRIDE = 0x2000_0000;
/** Offset of the options in a router solicitation. */
const SOLICITATION_BYTES = 8;

export class NeighbourDiscovery {
  readonly #core: Core;
  readonly #table: NeighbourTable<bigint>;

  constructor(core: Core, table: NeighbourTable<bigint>) {
    this.#core = core;
    this.#table = table;
  }

  /** @param message an ICMPv6 message with a verified checksum. */
  receive(port: RouterPort, frame: Uint8Array, header: Ipv6Header, message: Uint8Array): void {
    const { ipv6 } = port;
    if (ipv6 === undefined || !isValidDiscovery(header, message)) return;
    if (message[0] === ROUTER_SOLICITATION) {
      this.#advertiseRouter(port, ipv6, header, message);
      return;
    }
    const neighbour = decodeNeighbour(message);
    if (neighbour === null) return;
    if (neighbour.type === NEIGHBOUR_SOLICITATION) this.#answer(port, ipv6, frame, header, neighbour);
    else if (neighbour.mac !== undefined) this.#table.update(port.index, neighbour.target, neighbour.mac);
  }

  /** Solicits a neighbour on a port. */
  solicit(index: number, target: bigint): void {
    const port = this.#core.tables.ports[index]!;
    if (port.ipv6 === undefined) return;
    const group = solicitedNode(target);
    const message: Neighbour = { type: NEIGHBOUR_SOLICITATION, flags: 0, target, mac: port.mac };
    const source = isLinkLocal(target) ? port.ipv6.linkLocal : port.ipv6.address;
    this.#send(port, ipv6MulticastMac(group), source, group, encodeNeighbour(message));
  }

  #answer(
    port: RouterPort,
    ipv6: Interface6,
    frame: Uint8Array,
    { source }: Ipv6Header,
    { target, mac }: Neighbour,
  ): void {
    const virtualMac = port.virtual?.macOf6.get(target);
    if (target !== ipv6.address && target !== ipv6.linkLocal && virtualMac === undefined) return;
    if (mac !== undefined && isNeighbour(ipv6, source)) this.#table.learn(port.index, source, mac);
    // A solicitation without a source address is a duplicate check; its answer goes to all nodes (RFC 4862, 5.4).
    const toAll = source === 0n;
    const isRouter = this.#core.host === undefined;
    const flags = (isRouter ? FLAG_ROUTER : 0) + FLAG_OVERRIDE + (toAll ? 0 : FLAG_SOLICITED);
    const own = virtualMac ?? port.mac;
    const answer = encodeNeighbour({ type: NEIGHBOUR_ADVERTISEMENT, flags, target, mac: own });
    if (toAll) this.#send(port, ipv6MulticastMac(ALL_NODES), target, ALL_NODES, answer, own);
    else this.#send(port, mac ?? sourceMac(frame), target, source, answer, own);
  }

  #advertiseRouter(port: RouterPort, ipv6: Interface6, { source }: Ipv6Header, message: Uint8Array): void {
    if (!port.advertises) return;
    const option = findOption(message, SOLICITATION_BYTES, OPTION_SOURCE_LINK_ADDRESS);
    if (option !== undefined && isNeighbour(ipv6, source))
      this.#table.learn(port.index, source, readMac(option, 2));
    // RFC 9568, 8.2.3: where there are virtual routers, hosts get these as their gateways, from the masters.
    const gateways = port.hasVirtual6
      ? (port.virtual?.advertisers ?? [])
      : [[ipv6.linkLocal, port.mac] as const];
    for (const [linkLocal, mac] of gateways) {
      const flags = this.#core.dhcpFlagsAt?.(port) ?? 0;
      const advertisement = makeRouterAdvertisement({ ...port, mac }, ipv6, flags);
      this.#send(port, ipv6MulticastMac(ALL_NODES), linkLocal, ALL_NODES, advertisement, mac);
    }
  }

  /** Neighbour discovery does not wait for itself: the target MAC is always known. */
  #send(
    port: RouterPort,
    mac: number,
    source: bigint,
    target: bigint,
    message: Uint8Array,
    ownMac = port.mac,
  ): void {
    const fields = { source, target, nextHeader: PROTOCOL_ICMPV6, hopLimit: ND_HOP_LIMIT };
    const packet = encodeIpv6Checked(fields, message);
    this.#core.transmit(port.index, encodeEthernet(mac, ownMac, ETHERTYPE_IPV6, packet));
  }
}

const isNeighbour = (ipv6: Interface6, address: bigint): boolean =>
  address !== ipv6.address &&
  address !== ipv6.linkLocal &&
  (isLinkLocal(address) || contains6(ipv6, address));
