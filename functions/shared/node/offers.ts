/** Offers names and numbers to a node, each the lowest that no other node of the lab has. */
import { consoleAt, FIRST_CONSOLE, LAST_CONSOLE } from "../schemas/console-number.ts";
import { INDEXES, nameOf, namesLike, offerAnew, offerLowest, partsOf } from "../store/base/number-series.ts";
import type { Transaction } from "../store/base/transact.ts";
import { type Found, readConsoles, readIndexes, readNames } from "../store/contents/read.ts";
import { beginningOf, type NameWish, numberIn } from "./name.ts";

interface Offer<T> {
  /** The transaction that creates the node claims it; the claim may fail. */
  readonly value: T;
  /** The steps of that transaction that take the value from its series. */
  readonly takes: readonly Transaction[];
}

/** After conflicts each of the concurrent requests picks at random among ever more of the lowest free numbers, at most this many. */
const MOST_LEFT = 64;

/** Offers to one node. Their cost is independent of the lab's size, unless a claim fails: then all claims are read. */
export class Offers {
  readonly #projectId: string;
  readonly #refused = new Set<string | number>();
  readonly #refusedConsoles = new Set<number | null>();
  #lost = 0;

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  /** Records that a transaction with the offers has failed. @param value the name or number whose claim failed. */
  refuse(value: string | number | undefined): void {
    this.#lost += 1;
    if (value !== undefined) this.#refused.add(value);
  }

  /** Records that a transaction has failed because another node has claimed the number of the console. */
  refuseConsole(console: number | null): void {
    // The first refusal does not show a race: clients request numbers that other nodes have.
    if (this.#refusedConsoles.size > 0) this.#lost += 1;
    this.#refusedConsoles.add(console);
  }

  /** @param found the items that `wantedFor` names. */
  async name({ exact, template }: NameWish, found: Found): Promise<Offer<string>> {
    if (exact !== undefined && !found.takenNames.has(exact)) return { value: exact, takes: [] };
    const series = namesLike(template);
    // A deletion frees a number only in the series of the name itself; names of "R1{0}" belong to another series.
    const isKept = partsOf(nameOf(template, series.first))?.template === template;
    const { number, take } = offerLowest(this.#projectId, series, found.series.get(series.id) ?? {});
    const value = nameOf(template, number);
    if (isKept && !this.#refused.has(value) && !found.takenNames.has(value)) return { value, takes: [take] };
    const names = await readNames(this.#projectId, beginningOf(template));
    const taken = [...names].flatMap((name) => numberIn(name, template) ?? []);
    const anew = offerAnew(this.#projectId, series, new Set(taken));
    return { value: nameOf(template, anew.number), takes: isKept ? [anew.take] : [] };
  }

  async index({ series }: Found): Promise<Offer<number>> {
    const offer = offerLowest(this.#projectId, INDEXES, series.get(INDEXES.id) ?? {}, this.#leaving());
    const { number, take } = this.#refused.has(offer.number)
      ? offerAnew(this.#projectId, INDEXES, await readIndexes(this.#projectId))
      : offer;
    return { value: number, takes: [take] };
  }

  /**
   * Offers the number that the client requests, or the one that belongs to the number of the PC or router; if another node has it,
   * the lowest free one. Null when all are taken.
   */
  async console(wish: number | null | undefined, index: number | undefined): Promise<number | null> {
    const first = wish ?? consoleAt(index);
    if (first !== undefined && !this.#refusedConsoles.has(first)) return first;
    const taken = await readConsoles(this.#projectId);
    let leaving = this.#leaving();
    for (let number = FIRST_CONSOLE; number <= LAST_CONSOLE; number++) {
      if (!taken.has(number) && leaving-- <= 0) return number;
    }
    return null;
  }

  #leaving(): number {
    return Math.floor(Math.random() * Math.min(2 ** this.#lost, MOST_LEFT));
  }
}
