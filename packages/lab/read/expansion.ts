/** What a lab file asks for, counted before it is made: a short text can ask for millions. */
import type { Path, Problems } from "../file/problem.ts";

/** `states` are copies of a node's state: one of each node for each moment that expectations name. */
export const EXPANSION_LIMITS = {
  nodes: 10_000,
  ports: 100_000,
  links: 20_000,
  events: 10_000,
  expectations: 10_000,
  probes: 100_000,
  expressions: 500,
  states: 200_000,
} as const;
type Expanded = keyof typeof EXPANSION_LIMITS;

const WORDS: Readonly<Record<Expanded, string>> = {
  nodes: "nodes",
  ports: "ports",
  links: "links",
  events: "events",
  expectations: "expectations",
  probes: "probes",
  expressions: "different pcap-filter expressions",
  states: "copies of the states of nodes, one for each node and each moment of an expectation",
};

export class Expansion {
  readonly #counts = new Map<Expanded, number>();
  /** Where a limit was passed. */
  readonly #passed = new Map<Expanded, Path>();

  /** Counts what a part of the file asks for. @returns whether it may be made. */
  take(kind: Expanded, count: number, path: Path): boolean {
    const total = (this.#counts.get(kind) ?? 0) + count;
    this.#counts.set(kind, total);
    if (total > EXPANSION_LIMITS[kind] && !this.#passed.has(kind)) this.#passed.set(kind, path);
    return !this.#passed.has(kind);
  }

  /**
   * Reports the limits that were passed, with what the parts that were read ask for.
   * @throws LabFileError if there are any: what is missing now would be reported again by what names it.
   */
  report(problems: Problems): void {
    if (this.#passed.size === 0) return;
    for (const [kind, path] of this.#passed)
      problems.add(
        path,
        `makes ${this.#counts.get(kind)} ${WORDS[kind]}; the limit is ${EXPANSION_LIMITS[kind]}.`,
      );
    problems.throwIfAny();
  }
}
