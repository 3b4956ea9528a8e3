/** The tables of a router with a saved state, for callers outside of a run. */

import { makeTables } from "../../../net/plane/make-tables.ts";
import type { Tables } from "../../../net/plane/tables.ts";
import { installBgp } from "../services/bgp/between-runs.ts";
import { installOspf, ospfBetweenRuns } from "../services/ospf/between-runs.ts";
import { installRoute, restoreRoute } from "../services/rip/saved.ts";
import type { RouterSpec } from "./config.ts";
import type { RouterState } from "./state.ts";

/** @param state undefined for a router that never ran. */
export function tablesOf(spec: RouterSpec, state: RouterState | undefined): Tables {
  const running = state?.running ?? spec;
  const tables = makeTables(running, spec.mac, new Set(state?.portsDown), {
    tracksDown: new Set(state?.services?.track),
  });
  for (const route of state?.services?.rip?.routes ?? [])
    installRoute(tables.routes4, restoreRoute(route, 0), running.rip?.distance);
  const ospf = ospfBetweenRuns(running, tables, state?.services?.ospf);
  if (ospf !== undefined) installOspf(tables, ospf, running.ospf!);
  installBgp(running, tables, state?.services?.bgp);
  return tables;
}
