/**
 * Checks whether a host uses an address, before the server offers it (RFC 2131, sections 2.2 and 3.1, step 2).
 *
 *     ARP request -> no reply ............................. 0.5 s: free
 *                 -> reply -> ICMP echo request -> reply         : taken
 *                                               -> ..... 0.5 s: taken, because a host replied to ARP
 *
 * The timeout is half a second, because clients repeat a discover after one second.
 */
import { ETHERTYPE_IPV4, encodeEthernet } from "../../wire/ethernet.ts";
import { encodeEcho } from "../../wire/icmp.ts";
import { encodeIpv4, PROTOCOL_ICMP } from "../../wire/ipv4.ts";
import type { Core } from "./core.ts";
import type { NeighbourTable } from "./neighbours.ts";
import type { Interface4, RouterPort } from "./tables.ts";

export const PROBE_US = 500_000;
const NO_DATA = new Uint8Array(0);

/**
 * @param mac the MAC of the client that requests the address; this client may use it already.
 * @param done called exactly once.
 */
export function probeAddress(
  core: Core,
  arp: NeighbourTable<number>,
  { index, mac: routerMac }: RouterPort,
  { address: source }: Interface4,
  target: number,
  mac: number,
  done: (isTaken: boolean) => void,
): void {
  const answers = core.expectAnswers("echo", () => end());
  const timer = core.world.after(PROBE_US, () => end());
  const echo = encodeEcho(answers.id, 1, NO_DATA);
  const [packet] = encodeIpv4({ id: core.takeIpv4Id(), source, target, protocol: PROTOCOL_ICMP }, echo);
  const frame = encodeEthernet(0, routerMac, ETHERTYPE_IPV4, packet!);
  const end = (): void => {
    answers.stop();
    timer.cancel();
    arp.withdraw(index, target, frame);
    const station = arp.find(index, target);
    done(station !== undefined && station !== mac);
  };
  // An earlier ARP entry may be outdated.
  arp.forget(index, target);
  core.counters.originated += 1;
  arp.send(index, target, frame, undefined);
}
