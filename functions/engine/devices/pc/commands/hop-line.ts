/**
 * One line of a trace: number, address, and a time or a star for each probe; a refusal once, with its reason.
 *
 *      1   10.0.0.254   0.240 ms  0.053 ms  0.033 ms
 *      2     *  *  *
 *      4   *8.8.8.8   0.037 ms (ICMP type:3, code:3, Destination port unreachable)
 */
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import type { Host, ReceivedIpv4 } from "../host.ts";
import { formatMs } from "./format-ms.ts";
import { icmpErrorText, isUnreachable } from "./icmp-error.ts";

export class HopLine {
  readonly #host: Host;
  readonly #target: number;
  readonly #number: string;
  /** Of the first to answer. */
  #address = "";
  #times = "";
  #refusal = "";
  isLast = false;

  constructor(host: Host, target: number, ttl: number) {
    this.#host = host;
    this.#target = target;
    this.#number = `${String(ttl).padStart(2)}   `;
  }

  /** @param packet undefined for a probe that was lost. */
  add(packet: ReceivedIpv4 | undefined, elapsedUs: number): void {
    if (packet === undefined) {
      this.#times += "  *";
      return;
    }
    const address = `${formatIpv4(packet.header.source)} `;
    const time = `  ${formatMs(elapsedUs)} ms`;
    this.#address ||= address;
    this.#times += time;
    if (isUnreachable(this.#host, packet)) this.#refusal ||= `*${address}${time} ${icmpErrorText(packet)}`;
    this.isLast ||= this.#refusal !== "" || packet.header.source === this.#target;
  }

  get text(): string {
    return this.#number + (this.#refusal || this.#address + this.#times);
  }
}
