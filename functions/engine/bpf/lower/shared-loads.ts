/**
 * The loads that lowering has made, for blocks to share: a large filter asks for the same few fields thousands of times, and what
 * is made for each of them V8's garbage collector has to move. The optimiser takes a copy of what it changes.
 */
import type { Statement } from "../flow.ts";

export class SharedLoads {
  /** By mask, then by all the rest. */
  readonly #byMask = new Map<number, Map<number, readonly Statement[]>>();

  /** `code` says what kind of load it is, and of what size. */
  find(code: number, place: number, register: number, mask: number): readonly Statement[] | null {
    return this.#byMask.get(mask)?.get(keyOf(code, place, register)) ?? null;
  }

  add(
    code: number,
    place: number,
    register: number,
    mask: number,
    statements: readonly Statement[],
  ): readonly Statement[] {
    let loads = this.#byMask.get(mask);
    if (loads === undefined) {
      loads = new Map();
      this.#byMask.set(mask, loads);
    }
    loads.set(keyOf(code, place, register), statements);
    return statements;
  }
}

/** Codes have eight bits; registers are 16, and NO_REGISTER. */
function keyOf(code: number, place: number, register: number): number {
  return ((place >>> 0) * 32 + register + 1) * 256 + code;
}
