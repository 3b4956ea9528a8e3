/** Measures the calls to labs of many PCs: their start, a ping whose broadcast all hear, and a ping to a known address. */
import { addressOf, largeLab, largeLabId, linkId, pcId } from "../../helpers/service/large-lab.ts";
import { times, type Usage } from "./bill.ts";
import type { Meter } from "./meter.ts";

/** Usage of one call of each kind. */
export interface LabUsage {
  readonly pcs: number;
  readonly start: Usage;
  readonly broadcast: Usage;
  readonly ping: Usage;
}

/** Pings to PCs whose addresses are unknown, each to another one. */
const BROADCASTS = 3;
/** Pings to a known address: a capture writes a page of segments after each eight runs. */
const PINGS = 16;
/** The PC that pings, and whose link captures. */
const FROM = 0;

export type Send = (method: string, path: string, body?: Uint8Array | object) => Promise<unknown>;

/** @param number a lab's own, for its id. */
export async function measureLargeLab(
  { measure }: Meter,
  send: Send,
  number: number,
  pcs: number,
): Promise<LabUsage> {
  const id = largeLabId(number);
  const path = `/projects/${id}`;
  await send("POST", `${path}/import?name=cost-${number}`, largeLab(id, pcs));
  await send("POST", `${path}/open`);
  const start = await measure(() => send("POST", `${path}/nodes/start`));
  await send("POST", `${path}/links/${linkId(FROM)}/start_capture`, {});
  const ping = (to: number) =>
    send("POST", `${path}/nodes/${pcId(FROM)}/console`, { commands: [`ping ${addressOf(to)} -c 5`] });
  // The address of the last PC is known from now on.
  await ping(pcs - 1);
  const broadcast = await measure(async () => {
    for (let i = 0; i < BROADCASTS; i++) await ping(pcs - 2 - i);
  });
  const known = await measure(async () => {
    for (let i = 0; i < PINGS; i++) await ping(pcs - 1);
  });
  await send("POST", `${path}/close`);
  await send("DELETE", path);
  return {
    pcs,
    start: start.usage,
    broadcast: times(broadcast.usage, 1 / BROADCASTS),
    ping: times(known.usage, 1 / PINGS),
  };
}
