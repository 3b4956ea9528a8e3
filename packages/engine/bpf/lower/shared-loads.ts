/**
 * Loads that blocks share. A large filter loads the same few fields thousands of times, and V8's garbage collector would have
 * to move a copy for each. The optimiser copies the statements it changes.
 */
import type { Statement } from "../flow.ts";

export class SharedLoads {
  /** Keyed by mask, then by `keyOf` the other values. */
  readonly #byMask = new Map<number, Map<number, readonly Statement[]>>();

  /** @param code the kind and size of the load. */
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

/** A code has eight bits; a register is one of 16, or NO_REGISTER. */
function keyOf(code: number, place: number, register: number): number {
  return ((place >>> 0) * 32 + register + 1) * 256 + code;
}
