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

/**
 * @param isRunning reports whether the sweep in the place still runs, or will; it took the place `ageS` seconds ago.
 * @param forS how long a sweep may take.
 * @returns the id of the sweep that keeps the place, or undefined when the new one has it.
 */
export async function takeSweepPlace(
  user: string,
  sweepId: string,
  {
    isRunning,
    forS,
  }: { readonly isRunning: (id: string, ageS: number) => Promise<boolean>; readonly forS: number },
): Promise<string | undefined> {
  const nowS = Math.floor(Date.now() / 1000);
  const held = await readPlace(user);
  if (held && held.expires_s > nowS) {
    const ageS = nowS + forS - held.expires_s;
    if (await isRunning(held.sweep_id, ageS)) return held.sweep_id;
  }
  const put = SweepPlaceEntity.build(PutItemCommand)
    .item({ user, sweep_id: sweepId, expires_s: nowS + forS })
    .options(when(SweepPlaceEntity, { sweep_id: held?.sweep_id }));
  if (await holds(put)) return undefined;
  return (await readPlace(user))?.sweep_id ?? sweepId;
}

async function readPlace(user: string) {
  const { Item } = await SweepPlaceEntity.build(GetItemCommand)
    .key({ user })
    .options({ consistent: true })
    .send();
  return Item;
}
