/**
 * Routes the answers to IPv4 packets: to the packet's source MAC if the sender is in the own subnet, else to the gateway, whose
 * MAC the PC resolves first if necessary. Drops the answer if there is no gateway.
 */
import {
  BROADCAST_IPV4,
  formatIpv4,
  isMulticastIpv4,
  maskOf,
  sameSubnet,
} from "../../../wire/ipv4-address.ts";
import type { Host, ReceivedIpv4, Script } from "../host.ts";
import type { PcState } from "../state.ts";

/** Bounds the answers that wait for an unresponsive gateway. */
const WAITING_MAX = 64;

type Send = (targetMac: number) => void;

export class Answers {
  readonly #host: Host;
  /** Answers that wait for the gateway's MAC, in order. */
  readonly #waiting: Send[] = [];

  constructor(host: Host) {
    this.#host = host;
  }

  /** Calls `send` with the MAC for the answer to a packet, now or later; never if the MAC cannot be resolved. */
  to({ header, sourceMac }: ReceivedIpv4, send: Send): void {
    if (!isStation(this.#host.state, header.source)) return;
    const hop = this.#host.nextHop(header.source);
    if (hop === header.source) send(sourceMac);
    else if (hop !== undefined) this.#sendToGateway(hop, send);
    else this.#host.world.discard?.(`no gateway for the answer to ${formatIpv4(header.source)}`);
  }

  #sendToGateway(gateway: number, send: Send): void {
    if (this.#waiting.length >= WAITING_MAX) return;
    this.#waiting.push(send);
    if (this.#waiting.length === 1) this.#host.spawn(this.#sendWaiting(gateway));
  }

  *#sendWaiting(gateway: number): Script {
    const mac = yield* this.#host.resolve(gateway);
    const waiting = this.#waiting.splice(0);
    if (mac !== undefined) for (const send of waiting) send(mac);
    else this.#host.world.discard?.(`the gateway ${formatIpv4(gateway)} does not answer ARP`);
  }
}

/** Whether an address can identify a single other host (RFC 1122, section 3.2.1.3). The PC answers no other source. */
function isStation({ ipv4 }: PcState, address: number): boolean {
  if (address === 0 || address === ipv4.address || address === BROADCAST_IPV4) return false;
  return !isMulticastIpv4(address) && !isSubnetBroadcast(ipv4, address);
}

/** A subnet of one or two addresses has no broadcast address (RFC 3021). */
function isSubnetBroadcast({ address: own, prefixLength }: PcState["ipv4"], address: number): boolean {
  const mask = maskOf(prefixLength);
  return prefixLength < 31 && sameSubnet(address, own, mask) && (address | mask) >>> 0 === BROADCAST_IPV4;
}
