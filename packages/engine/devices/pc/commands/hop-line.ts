/**
 * One line of a trace: number, address, and a time or a star for each probe. A refusal is printed once, with its reason.
 *
 *      1   10.0.0.254   0.240 ms  0.053 ms  0.033 ms
 *      2     *  *  *
 *      4   *8.8.8.8   0.037 ms (ICMP type:3, code:3, Destination port unreachable)
 */
import { formatMs } from "./format-ms.ts";

/** One answer to a probe. */
export interface HopAnswer {
  /** The sender's address. */
  readonly address: string;
  readonly isTarget: boolean;
  /** The reason why the trace ends at this sender; undefined if the trace continues or the target ended it normally. */
  readonly refusal: string | undefined;
}

export class HopLine {
  readonly #begin: string;
  /** The address of the first host that answered. */
  #address = "";
  #times = "";
  #refusal = "";
  isLast = false;

  /** @param begin the hop's number with its padding. */
  constructor(begin: string) {
    this.#begin = begin;
  }

  /** @param answer undefined if no answer arrived in time. */
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
