/**
 * Finds the lowest free number of a series without reading all that are taken. The names PC1, PC2, ... are a series, and so are
 * the numbers of a lab's PCs and routers.
 *
 * A series is a hint; the claims of names and numbers (node.ts) decide. It states that all numbers below `next` are taken, except
 * for the `gaps` that deletions have left. A series that is not stored yet states that no number is taken. When a claim refuses the
 * number that a series offers, the series is rebuilt from the claims: callers choose names themselves, and labs can be older than
 * their series.
 */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $add, $delete } from "dynamodb-toolbox/entity/actions/update";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { set } from "dynamodb-toolbox/schema/set";
import { string } from "dynamodb-toolbox/schema/string";
import { projectKey, table } from "./table.ts";
import type { Transaction } from "./transact.ts";
import { when } from "./when.ts";

export const SeriesEntity = new Entity({
  name: "series",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    series: string().key(),
    next: number().optional(),
    gaps: set(number()).optional(),
  }),
  computeKey: ({ project_id, series }) => ({ pk: projectKey(project_id), sk: `SERIES#${series}` }),
});

export type StoredSeries = Pick<FormattedItem<typeof SeriesEntity>, "next" | "gaps">;

export interface Series {
  readonly id: string;
  readonly first: number;
}

/** The numbers of a lab's PCs and routers. */
export const INDEXES: Series = { id: "INDEX", first: 0 };

const PLACE = "{0}";

/** Returns the series of names that the template makes with numbers from 1 in the place of `{0}`. */
export const namesLike = (template: string): Series => ({ id: `NAME#${template}`, first: 1 });

export const nameOf = (template: string, number: number): string =>
  template.replaceAll(PLACE, String(number));

/** Returns the template and the number of a name: its last digits. Undefined if formatting the number would not give those digits. */
export function partsOf(name: string): { readonly template: string; readonly number: number } | undefined {
  const [, before, digits, after] = /^(.*?)(0|[1-9]\d{0,8})(\D*)$/s.exec(name) ?? [];
  if (digits === undefined || /\d$/.test(before!)) return undefined;
  return { template: `${before}${PLACE}${after}`, number: Number(digits) };
}

/** A number that is free according to the series, and the step that takes it from the series. */
export interface Offer {
  readonly number: number;
  readonly take: Transaction;
}

/** @param leaving how many of the lowest free numbers to skip, because concurrent requests may take them. */
export function offerLowest(projectId: string, series: Series, stored: StoredSeries, leaving = 0): Offer {
  const { next = series.first, gaps = new Set() } = stored;
  const below = [...gaps].filter((gap) => gap < next).sort((a, b) => a - b);
  const take = (changes: object) =>
    SeriesEntity.build(UpdateTransaction).item({
      project_id: projectId,
      series: series.id,
      ...changes,
    } as never);
  const gap = below[leaving];
  if (gap !== undefined) return { number: gap, take: take({ gaps: $delete(new Set([gap])) }) };
  const number = next + leaving - below.length;
  const left = Array.from({ length: number - next }, (_, index) => next + index);
  const rise = take({
    next: number + 1,
    ...(left.length > 0
      ? { gaps: $add(new Set(left)) }
      : gaps.has(number)
        ? { gaps: $delete(new Set([number])) }
        : {}),
  });
  return { number, take: rise.options(when(SeriesEntity, { next: stored.next })) };
}

/** Returns a step that frees a number; it always succeeds. */
export const freeNumber = (projectId: string, series: Series, number: number): Transaction =>
  freeNumbers(projectId, series.id, [number]);

/** Returns a step that frees numbers of a series; it always succeeds. */
export const freeNumbers = (projectId: string, series: string, numbers: readonly number[]): Transaction =>
  SeriesEntity.build(UpdateTransaction).item({
    project_id: projectId,
    series,
    gaps: $add(new Set(numbers)),
  });

/** Returns a step that frees the number in a name, if there is one. */
export function freeName(projectId: string, name: string): Transaction[] {
  const parts = partsOf(name);
  return parts === undefined ? [] : [freeNumber(projectId, namesLike(parts.template), parts.number)];
}

/** Offers the lowest number that no claim has, and rebuilds the series from the claims. */
export function offerAnew(projectId: string, series: Series, taken: ReadonlySet<number>): Offer {
  let number = series.first;
  while (taken.has(number)) number += 1;
  const { next, gaps } = seriesOf(new Set([...taken, number]), series);
  const take = SeriesEntity.build(PutTransaction).item({
    project_id: projectId,
    series: series.id,
    next,
    ...(gaps.size > 0 ? { gaps } : {}),
  });
  return { number, take };
}

/** Bounds the size of the item. Numbers above this many gaps are left out, and found when `next` reaches them. */
const MOST_GAPS = 100;

function seriesOf(
  taken: ReadonlySet<number>,
  { first }: Series,
): { readonly next: number; readonly gaps: Set<number> } {
  const gaps = new Set<number>();
  let next = first;
  for (const number of [...taken].filter((each) => each >= first).sort((a, b) => a - b)) {
    if (gaps.size + number - next > MOST_GAPS) break;
    for (; next < number; next++) gaps.add(next);
    next = number + 1;
  }
  return { next, gaps };
}
