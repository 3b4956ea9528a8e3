/** Random choices of a test, from a seed that the test prints. */
import { makeStream, type RandomStream } from "@wirelab/engine/base/random";

export class Draws {
  readonly seed: string;
  readonly #stream: RandomStream;

  /** @param seed of an earlier run; by default a new one. */
  constructor(seed = String(Date.now())) {
    this.seed = seed;
    this.#stream = makeStream(seed, "nftables");
  }

  below(bound: number): number {
    return this.#stream.below(bound);
  }

  pick<T>(options: readonly T[]): T {
    return options[this.below(options.length)]!;
  }

  bytes(size: number): Uint8Array {
    return Uint8Array.from({ length: size }, () => this.below(256));
  }
}
