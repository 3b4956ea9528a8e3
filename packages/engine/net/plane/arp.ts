/**
 * ARP on the router's ports (RFC 826): answers requests for the port's own address, learns the sender of such a request, and updates
 * known entries from every other ARP packet of the subnet. The master of a virtual router answers for its addresses, too, with the
 * virtual MAC. There is no proxy ARP, but for outside addresses of a translation.
 */
import { ARP_REPLY, ARP_REQUEST, type Arp, decodeArp, encodeArp } from "../../wire/arp.ts";
import { BROADCAST_MAC, isGroupMac } from "../../wire/mac.ts";
import { isLinkLocal4 } from "../address/ipv4-address-kinds.ts";
import { contains4 } from "../address/prefix.ts";
import type { Core } from "./core.ts";
import type { Guard4 } from "./guard.ts";
import type { NeighbourTable } from "./neighbours.ts";
import type { Interface4, RouterPort } from "./tables.ts";

interface Answering {
  readonly core: Core;
  readonly arp: NeighbourTable<number>;
  readonly guard4: Guard4;
}

export function receiveArp(
  { core, arp: table, guard4 }: Answering,
  port: RouterPort,
  frame: Uint8Array,
): void {
  const arp = decodeArp(frame);
  if (arp === null || isGroupMac(arp.senderMac)) {
    core.drop("malformed");
    return;
  }
  const { ipv4 } = port;
  if (ipv4 === undefined) {
    core.drop("notForUs");
    return;
  }
  const virtualMac = port.virtual?.macOf4.get(arp.targetIp);
  const isForUs =
    arp.targetIp === ipv4.address || virtualMac !== undefined || guard4.isAlias(port.index, arp.targetIp);
  if (isNeighbour(ipv4, arp.senderIp)) {
    if (isForUs) table.learn(port.index, arp.senderIp, arp.senderMac);
    else table.update(port.index, arp.senderIp, arp.senderMac);
  }
  if (isForUs && arp.opcode === ARP_REQUEST) answer(core, port.index, virtualMac ?? port.mac, arp);
}

/**
 * Accepts addresses of the port's subnet and link-local ones. A request from 0.0.0.0 is a duplicate check (RFC 5227): it gets a reply,
 * but its sender is not learned.
 */
const isNeighbour = (ipv4: Interface4, address: number): boolean =>
  address !== ipv4.address &&
  address !== ipv4.broadcast &&
  (contains4(ipv4, address) || isLinkLocal4(address));

function answer(core: Core, index: number, mac: number, request: Arp): void {
  const reply: Arp = {
    opcode: ARP_REPLY,
    senderMac: mac,
    senderIp: request.targetIp,
    targetMac: request.senderMac,
    targetIp: request.senderIp,
  };
  core.transmit(index, encodeArp(request.senderMac, mac, reply));
}

/** Asks all stations of a port for an address. */
export function sendArpRequest(core: Core, port: number, targetIp: number): void {
  const { mac: ownMac, ipv4, virtual } = core.tables.ports[port]!;
  // RFC 9568, 8.1.2: hosts must not learn the address of an owner with the MAC of its port.
  const mac = virtual?.macOf4.get(ipv4?.address ?? 0) ?? ownMac;
  const request: Arp = {
    opcode: ARP_REQUEST,
    senderMac: mac,
    senderIp: ipv4?.address ?? 0,
    targetMac: 0,
    targetIp,
  };
  core.transmit(port, encodeArp(BROADCAST_MAC, mac, request));
}
