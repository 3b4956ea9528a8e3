/** Compiles the pcap-filter expressions of a file, equal ones once. */
import { compileForPeople } from "@wirelab/engine/bpf/compile-for-people";
import type { PacketPredicate } from "@wirelab/engine/link/filters/index";
import type { Path } from "../file/problem.ts";
import type { Expansion } from "./expansion.ts";

export class Expressions {
  readonly #expansion: Expansion;
  readonly #compiled = new Map<string, PacketPredicate>();

  constructor(expansion: Expansion) {
    this.#expansion = expansion;
  }

  /** @throws FilterSyntaxError */
  compile(expression: string, path: Path): PacketPredicate {
    const known = this.#compiled.get(expression);
    if (known !== undefined) return known;
    // The limit is reported, so the file is not played with this predicate.
    const predicate = this.#expansion.take("expressions", 1, path)
      ? compileForPeople(expression)
      : () => false;
    this.#compiled.set(expression, predicate);
    return predicate;
  }
}
