/**
 * Checks whether a host uses an address, before the server offers it (RFC 2131, sections 2.2 and 3.1, step 2).
 *
 *     ARP request -> no reply ............................. 0.5 s: free
 *                 -> reply -> ICMP echo request -> reply         : taken
 *                                               -> ..... 0.5 s: taken, because a host replied to ARP
 *
 * The timeout is half a second, because clients repeat a discover after one second.
 */

import type { Timer } from "../../base/world.ts";
import { ETHERTYPE_IPV4, encodeEthernet } from "../../wire/ethernet.ts";
import { encodeEcho } from "../../wire/icmp.ts";
import { encodeIpv4, PROTOCOL_ICMP } from "../../wire/ipv4.ts";
import type { Core, Expected } from "../plane/core.ts";
import type { NeighbourTable } from "../plane/neighbours.ts";
import type { Interface4, RouterPort } from "../plane/tables.ts";

export const PROBE_US = 500_000;
const NO_DATA = new Uint8Array(0);

/** The check of an address, as data. */
export interface FrozenProbe {
  readonly index: number;
  readonly target: number;
  /** The MAC of the client that requests the address; this client may use it already. */
  readonly mac: number;
  readonly frame: Uint8Array;
  readonly id: number;
  readonly timer: Timer;
}

export class AddressProbe {
  readonly #arp: NeighbourTable<number>;
  readonly #frozen: FrozenProbe;
  readonly #answers: Expected;
  readonly #done: (isTaken: boolean) => void;

  /** @param done called exactly once. */
  constructor(
    arp: NeighbourTable<number>,
    frozen: FrozenProbe,
    answers: Expected,
    done: (isTaken: boolean) => void,
  ) {
    this.#arp = arp;
    this.#frozen = frozen;
    this.#answers = answers;
    this.#done = done;
  }

  /** Sends the request. */
  static begin(
    core: Core,
    arp: NeighbourTable<number>,
    { index, mac: routerMac }: RouterPort,
    { address: source }: Interface4,
    target: number,
    mac: number,
    done: (isTaken: boolean) => void,
  ): AddressProbe {
    const answers = core.expectAnswers("echo", () => probe.#end());
    const timer = core.world.after(PROBE_US, () => probe.#end());
    const echo = encodeEcho(answers.id, 1, NO_DATA);
    const [packet] = encodeIpv4({ id: core.takeIpv4Id(), source, target, protocol: PROTOCOL_ICMP }, echo);
    const frame = encodeEthernet(0, routerMac, ETHERTYPE_IPV4, packet!);
    const frozen = { index, target, mac, frame, id: answers.id, timer };
    const probe: AddressProbe = new AddressProbe(arp, frozen, answers, done);
    // An earlier ARP entry may be outdated.
    arp.forget(index, target);
    core.counters.originated += 1;
    arp.send(index, target, frame, undefined);
    return probe;
  }

  static thaw(
    core: Core,
    arp: NeighbourTable<number>,
    frozen: FrozenProbe,
    done: (isTaken: boolean) => void,
  ): AddressProbe {
    const answers = core.expectAgain("echo", frozen.id, () => probe.#end());
    const probe: AddressProbe = new AddressProbe(arp, frozen, answers, done);
    frozen.timer.resume?.(() => probe.#end());
    return probe;
  }

  freeze(): FrozenProbe {
    return this.#frozen;
  }

  #end(): void {
    const { index, target, mac, frame, timer } = this.#frozen;
    this.#answers.stop();
    timer.cancel();
    this.#arp.withdraw(index, target, frame);
    const station = this.#arp.find(index, target);
    this.#done(station !== undefined && station !== mac);
  }
}
