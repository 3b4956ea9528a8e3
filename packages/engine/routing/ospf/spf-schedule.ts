/** When the routes are computed anew: FRR's `timers throttle spf`. */
import { LSA, type Lsa } from "../../wire/ospf-lsa.ts";
import type { Ospf } from "./state.ts";

const MILLISECOND_US = 1_000;

/** An LSA has changed: the routes follow. Opaque LSAs have none. */
export function changeRoutes(ospf: Ospf, { type }: Pick<Lsa, "type">): void {
  if (type < LSA.opaqueLink) scheduleSpf(ospf);
}

/**
 * Schedules a computation, unless one is due: after the initial delay, and not before the hold time since the last one is over. The hold time
 * grows by its first value, up to its maximum, with each change that comes within it.
 */
export function scheduleSpf(ospf: Ospf): void {
  if (ospf.timers.has("spf", 0)) return;
  const { host, spf, config } = ospf;
  const { spfDelayMs, spfHoldMs, spfMaxHoldMs } = config.timers;
  const sinceMs =
    spf.lastUs === undefined ? Number.POSITIVE_INFINITY : (host.nowUs - spf.lastUs) / MILLISECOND_US;
  const holdMs = Math.min(spf.holds * spfHoldMs, spfMaxHoldMs);
  const isQuiet = sinceMs >= holdMs;
  if (isQuiet) spf.holds = 1;
  else if (holdMs < spfMaxHoldMs) spf.holds += 1;
  const waitMs = isQuiet ? spfDelayMs : Math.max(spfDelayMs, holdMs - sinceMs);
  ospf.timers.set("spf", 0, host.nowUs + Math.round(waitMs * MILLISECOND_US));
}
