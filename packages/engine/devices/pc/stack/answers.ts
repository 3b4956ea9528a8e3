/**
 * Routes the answers to IPv4 packets: to the packet's source MAC if the sender is in the own subnet, else to the gateway, whose
 * MAC the PC resolves first if necessary. Drops the answer if there is no gateway.
 */
import type { Ipv4Fields } from "../../../wire/ipv4.ts";
import {
  BROADCAST_IPV4,
  formatIpv4,
  isMulticastIpv4,
  maskOf,
  sameSubnet,
} from "../../../wire/ipv4-address.ts";
import type { Host, ReceivedIpv4, Script } from "../host.ts";
import { type Notes, notesOf } from "../notes.ts";
import type { Scripts } from "../scripts.ts";
import type { PcState } from "../state.ts";
import { sendTurned } from "./turn-around.ts";

/** Bounds the answers that wait for an unresponsive gateway. */
const WAITING_MAX = 64;

/** An answer without the MAC of its target: a datagram, or a frame that was turned round. */
export type Answer4 =
  | { readonly fields: Ipv4Fields; readonly payload: Uint8Array }
  | { readonly frame: Uint8Array };

export class Answers {
  readonly #host: Host;
  /** Answers that wait for the gateway's MAC, in order. */
  readonly #waiting: Answer4[] = [];

  constructor(host: Host, scripts: Scripts) {
    this.#host = host;
    scripts.define("answers", (notes) => this.#sendWaiting(notes));
  }

  freeze(): readonly Answer4[] {
    return this.#waiting;
  }

  thaw(waiting: readonly Answer4[]): void {
    this.#waiting.push(...waiting);
  }

  /** Sends the answer to a packet, now or later; never if the MAC cannot be resolved. */
  to({ header, sourceMac }: ReceivedIpv4, answer: Answer4): void {
    if (!isStation(this.#host.state, header.source)) return;
    const hop = this.#host.nextHop(header.source);
    if (hop === header.source) this.#send(answer, sourceMac);
    else if (hop !== undefined) this.#sendToGateway(hop, answer);
    else this.#host.world.discard?.(`no gateway for the answer to ${formatIpv4(header.source)}`);
  }

  #send(answer: Answer4, targetMac: number): void {
    if ("frame" in answer) sendTurned(this.#host, answer.frame, targetMac);
    else this.#host.sendIpv4(targetMac, answer.fields, answer.payload);
  }

  #sendToGateway(gateway: number, answer: Answer4): void {
    if (this.#waiting.length >= WAITING_MAX) return;
    this.#waiting.push(answer);
    if (this.#waiting.length === 1) this.#host.spawn("answers", { gateway });
  }

  *#sendWaiting(notes: Notes): Script {
    const gateway = notes.gateway as number;
    const mac = yield* this.#host.resolve(gateway, notesOf(notes, "mac"));
    const waiting = this.#waiting.splice(0);
    if (mac !== undefined) for (const answer of waiting) this.#send(answer, mac);
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
