/**
 * One line of a trace: number, address, and a time or a star for each probe; a refusal once, with its reason.
 *
 *      1   10.0.0.254   0.240 ms  0.053 ms  0.033 ms
 *      2     *  *  *
 *      4   *8.8.8.8   0.037 ms (ICMP type:3, code:3, Destination port unreachable)
 */
import { formatMs } from "./format-ms.ts";

/** What a packet that answers a probe says. */
export interface HopAnswer {
  /** Of who sent it. */
  readonly address: string;
  readonly isTarget: boolean;
  /** Why the way ends there; undefined where it goes on, or where the target itself is a good end. */
  readonly refusal: string | undefined;
}

export class HopLine {
  readonly #begin: string;
  /** Of the first to answer. */
  #address = "";
  #times = "";
  #refusal = "";
  isLast = false;

  /** @param begin the hop's number, and what sets it off. */
  constructor(begin: string) {
    this.#begin = begin;
  }

  /** @param answer undefined for a probe that was lost. */
  add(answer: HopAnswer | undefined, elapsedUs: number): void {
    if (answer === undefined) {
      this.#times += "  *";
      return;
    }
    const address = `${answer.address} `;
    const time = `  ${formatMs(elapsedUs)} ms`;
    this.#address ||= address;
    this.#times += time;
    if (answer.refusal !== undefined) this.#refusal ||= `*${address}${time} ${answer.refusal}`;
    this.isLast ||= answer.isTarget || answer.refusal !== undefined;
  }

  get text(): string {
    return this.#begin + (this.#refusal || this.#address + this.#times);
  }
}
