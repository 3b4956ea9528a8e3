/**
 * The place of a user's running sweep: a user has one. A sweep keeps its place after its end, until another one takes it, so the taker
 * looks whether it still runs. A place ends with the time that a sweep may take.
 */
import { Entity } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { table } from "../base/table.ts";
import { holds } from "../base/transact.ts";
import { when } from "../base/when.ts";

const SweepPlaceEntity = new Entity({
  name: "sweep-place",
  table,
  timestamps: false,
  schema: item({
    user: string().key(),
    sweep_id: string(),
    /** The table's time to live: seconds since 1970. */
    expires_s: number(),
  }),
  computeKey: ({ user }) => ({ pk: `PACE#${user}`, sk: "SWEEP" }),
});

export interface SweepPlace {
  readonly sweep_id: string;
  /** Seconds since the sweep took the place. */
  readonly ageS: number;
}

/** @param forS how long a sweep may take. @returns undefined when no sweep has the place. */
export async function readSweepPlace(user: string, forS: number): Promise<SweepPlace | undefined> {
  const place = await readPlace(user);
  const nowS = nowInSeconds();
  if (place === undefined || place.expires_s <= nowS) return undefined;
  return { sweep_id: place.sweep_id, ageS: nowS + forS - place.expires_s };
}

/** Gives the place to a sweep, unless another one has taken it meanwhile. @param after the sweep that had it. @returns whether it has it. */
export async function takeSweepPlace(
  user: string,
  sweep_id: string,
  { forS, after }: { readonly forS: number; readonly after: string | undefined },
): Promise<boolean> {
  const before = await readPlace(user);
  if (before && before.sweep_id !== after && before.expires_s > nowInSeconds()) return false;
  const put = SweepPlaceEntity.build(PutItemCommand)
    .item({ user, sweep_id, expires_s: nowInSeconds() + forS })
    .options(when(SweepPlaceEntity, { sweep_id: before?.sweep_id }));
  // A repeated call whose first response was lost finds its own sweep there.
  return (await holds(put)) || (await readPlace(user))?.sweep_id === sweep_id;
}

/** Frees the place of a sweep that could not be started. */
export async function leaveSweepPlace(user: string, sweep_id: string): Promise<void> {
  const put = SweepPlaceEntity.build(PutItemCommand)
    .item({ user, sweep_id, expires_s: nowInSeconds() })
    .options(when(SweepPlaceEntity, { sweep_id }));
  await holds(put);
}

const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

async function readPlace(user: string) {
  const { Item } = await SweepPlaceEntity.build(GetItemCommand)
    .key({ user })
    .options({ consistent: true })
    .send();
  return Item;
}
