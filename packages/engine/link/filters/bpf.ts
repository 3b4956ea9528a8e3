import {
  DROP,
  type LinkFilter,
  PASS,
  type PacketPredicate,
  type Passage,
  type Verdict,
} from "./link-filter.ts";

/** Drops a packet that matches any of the compiled expressions. */
export class BpfDrop implements LinkFilter {
  readonly type = "bpf";
  readonly #predicates: readonly PacketPredicate[];

  constructor(predicates: readonly PacketPredicate[]) {
    this.#predicates = predicates;
  }

  decide(passage: Passage): Verdict {
    for (const matches of this.#predicates) {
      if (matches(passage.data, passage.wireLength)) return DROP;
    }
    return PASS;
  }

  skip(): void {}

  saveState(): undefined {
    return undefined;
  }
}
