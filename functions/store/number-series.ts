/**
 * Finds the lowest free number of a series without reading all that are taken. The names PC1, PC2, ... are a series, and so are
 * the numbers of a lab's PCs and routers.
 *
 * A series is a hint; the claims of names and numbers (node.ts) decide. It says that all numbers below `next` are taken, but for
 * the `gaps` that deletions have left. A series that is not stored yet says that none is taken. When a claim refuses the number
 * that a series offers, the series is stored anew from the claims: callers choose names themselves, and labs are older than their
 * series.
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

/** The names that are made of the template by numbers from 1 in the place of `{0}`. */
export const namesLike = (template: string): Series => ({ id: `NAME#${template}`, first: 1 });

export const nameOf = (template: string, number: number): string =>
  template.replaceAll(PLACE, String(number));

/** The template and the number of a name: its last digits, unless they could not be written by a number. */
export function partsOf(name: string): { readonly template: string; readonly number: number } | undefined {
  const [, before, digits, after] = /^(.*?)(0|[1-9]\d{0,8})(\D*)$/s.exec(name) ?? [];
  if (digits === undefined || /\d$/.test(before!)) return undefined;
  return { template: `${before}${PLACE}${after}`, number: Number(digits) };
}

/** A number that is free by the series, and the step that takes it there. */
export interface Offer {
  readonly number: number;
  readonly take: Transaction;
}

/** @param leaving so many of the lowest free numbers are left to others, who ask at the same time. */
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
  const asRead =
    stored.next === undefined
      ? { attr: "next" as const, exists: false }
      : { attr: "next" as const, eq: stored.next };
  const rise = take({
    next: number + 1,
    ...(left.length > 0
      ? { gaps: $add(new Set(left)) }
      : gaps.has(number)
        ? { gaps: $delete(new Set([number])) }
        : {}),
  });
  return { number, take: rise.options({ condition: asRead }) };
}

/** A step that frees a number; it always holds. */
export const freeNumber = (projectId: string, series: Series, number: number): Transaction =>
  SeriesEntity.build(UpdateTransaction).item({
    project_id: projectId,
    series: series.id,
    gaps: $add(new Set([number])),
  });

/** A step that frees the number in a name, if there is one. */
export function freeName(projectId: string, name: string): Transaction[] {
  const parts = partsOf(name);
  return parts === undefined ? [] : [freeNumber(projectId, namesLike(parts.template), parts.number)];
}

/** Offers the lowest number that is free by the claims, and stores the series anew with it. */
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

/** Keeps the item small. Numbers above many gaps are left out, and found when `next` has come up to them. */
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
