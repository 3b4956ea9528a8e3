/** Offers names and numbers to a node, each the lowest that no other node of the lab has. */
import { INDEXES, nameOf, namesLike, offerAnew, offerLowest, partsOf } from "../store/number-series.ts";
import { type Found, readIndexes, readNames } from "../store/read.ts";
import type { Transaction } from "../store/transact.ts";
import { beginningOf, type NameWish, numberIn } from "./name.ts";

interface Offer<T> {
  /** Claimed by the transaction that creates the node: the claim may be refused. */
  readonly value: T;
  /** The steps of that transaction that take the value from its series. */
  readonly takes: readonly Transaction[];
}

/** Of rivals for the lowest number each then takes any of the lowest few, ever more of them, up to so many. */
const MOST_LEFT = 64;

/** The offers to one node. What they cost does not grow with the lab, unless a claim is refused: then all claims are read. */
export class Offers {
  readonly #projectId: string;
  readonly #refused = new Set<string | number>();
  #lost = 0;

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  /** Notes that a transaction with the offers has failed. @param value the name or number whose claim was refused. */
  refuse(value: string | number | undefined): void {
    this.#lost += 1;
    if (value !== undefined) this.#refused.add(value);
  }

  /** @param found what was read as `wantedFor` says. */
  async name({ exact, template }: NameWish, found: Found): Promise<Offer<string>> {
    if (exact !== undefined && !found.takenNames.has(exact)) return { value: exact, takes: [] };
    const series = namesLike(template);
    // Deletions free numbers in the series of the name alone, which of "R1{0}" is another one.
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
    const leaving = Math.floor(Math.random() * Math.min(2 ** this.#lost, MOST_LEFT));
    const offer = offerLowest(this.#projectId, INDEXES, series.get(INDEXES.id) ?? {}, leaving);
    const { number, take } = this.#refused.has(offer.number)
      ? offerAnew(this.#projectId, INDEXES, await readIndexes(this.#projectId))
      : offer;
    return { value: number, takes: [take] };
  }
}
