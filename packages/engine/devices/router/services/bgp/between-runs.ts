/** BGP of a router that does not run: what its saved state says about neighbours and routes. */
import type { Tables } from "../../../../net/plane/tables.ts";
import { BgpProcess } from "../../../../routing/bgp/process.ts";
import type { BgpHost } from "../../../../routing/bgp/state.ts";
import type { RouterConfig } from "../base/config.ts";
import type { SavedBgpService } from "./bgp.ts";
import { toRoutes } from "./table-routes.ts";
import { toBgpConfig } from "./to-config.ts";
import { isOnLink, ownRoute, routesOf, wayTo } from "./ways.ts";

/** Saved times are relative: any clock will do. Nothing happens to a process that is only looked at. */
const hostOf = (tables: Tables): BgpHost => ({
  nowUs: 0,
  connect: () => "the router does not run",
  send() {},
  close() {},
  abort() {},
  sourceOf: () => 0,
  resolve: (address, passes) => wayTo(tables, address, passes),
  isOwn: (address) => tables.own4.has(address),
  isOnLink: (address, source) => isOnLink(tables, address, source),
  ownRoute: (prefix) => ownRoute(tables, prefix),
  routesOf: (source) => routesOf(tables, source),
  install: (route) => tables.routes4.set(route.network, route.length, "bgp", toRoutes(route)),
  remove({ network, length }) {
    tables.routes4.set(network, length, "bgp", []);
  },
  neighbourChanged() {},
  warn() {},
});

/** @returns undefined if BGP is not configured, or has never run. */
export function bgpBetweenRuns(
  running: RouterConfig,
  tables: Tables,
  saved: SavedBgpService | undefined,
): BgpProcess | undefined {
  const { bgp: spec } = running;
  if (spec === undefined || saved === undefined) return undefined;
  return new BgpProcess(hostOf(tables), toBgpConfig(running, spec, tables), saved.protocol);
}

/** Puts the routes in a table that has none of BGP yet. */
export const installBgp = (...of: Parameters<typeof bgpBetweenRuns>): void =>
  bgpBetweenRuns(...of)?.reinstall();
