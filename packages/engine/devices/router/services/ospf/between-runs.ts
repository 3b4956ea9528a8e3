/** OSPF of a router that does not run: what its saved state says about neighbours and routes. */
import type { Tables } from "../../../../net/plane/tables.ts";
import { OspfProcess } from "../../../../routing/ospf/process.ts";
import type { SavedOspf } from "../../../../routing/ospf/saved.ts";
import type { OspfHost } from "../../../../routing/ospf/state.ts";
import type { RouterConfig } from "../base/config.ts";
import { type Distances, routesOf } from "./table-routes.ts";
import { toOspfConfig } from "./to-config.ts";

/** Saved times are relative: any clock will do. Nothing happens to a process that is only looked at. */
const NOWHERE: OspfHost = {
  nowUs: 0,
  random: () => 0,
  send() {},
  routesChanged() {},
  neighbourChanged() {},
};

/** @returns undefined if OSPF is not configured, or has never run. */
export function ospfBetweenRuns(
  running: RouterConfig,
  tables: Tables,
  saved: SavedOspf | undefined,
): OspfProcess | undefined {
  const { ospf: spec } = running;
  if (spec === undefined || saved === undefined) return undefined;
  return new OspfProcess(NOWHERE, toOspfConfig(running, spec, tables), saved);
}

/** Puts the routes in a table that has none of OSPF yet. */
export function installOspf(tables: Tables, { table }: OspfProcess, distances: Distances): void {
  for (const route of table.prefixes.values())
    tables.routes4.set(route.network, route.prefixLength, "ospf", routesOf(route, distances));
}
