/** The tables of a router with a saved state, for callers outside of a run. */
import type { RouterSpec } from "./config.ts";
import { makeTables } from "./make-tables.ts";
import { learnedRoutes, restoreRoute } from "./rip/saved.ts";
import type { RouterState } from "./state.ts";
import type { Tables } from "./tables.ts";

/** @param state undefined for a router that never ran. */
export function tablesOf(spec: RouterSpec, state: RouterState | undefined): Tables {
  const learned = (state?.services?.rip?.routes ?? []).map((route) => restoreRoute(route, 0));
  return makeTables(state?.running ?? spec, spec.mac, undefined, {
    learned4: () => learnedRoutes(learned),
    tracksDown: new Set(state?.services?.track),
  });
}
