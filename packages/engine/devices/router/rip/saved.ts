/** RIP between two runs. No frame moves between runs, so timers keep the time that was left of them. */
import { RIP_INFINITY } from "../../../wire/rip.ts";
import type { LearnedRoute4 } from "../route-table.ts";
import type { SavedAuthentication } from "./authentication.ts";
import type { RipRoute } from "./table.ts";

export interface SavedRip {
  readonly routes: readonly SavedRipRoute[];
  readonly peers: readonly SavedPeer[];
  readonly nextUpdateInUs: number;
  /** Time for which no triggered update is sent. */
  readonly quietForUs: number;
  /** Absent before the first digest. */
  readonly authentication?: SavedAuthentication;
}

type SavedRipRoute = readonly [
  network: number,
  prefixLength: number,
  metric: number,
  tag: number,
  origin: RipRoute["origin"],
  port: number,
  via: number | null,
  from: number | null,
  hasChanged: 0 | 1,
  timeoutInUs: number | null,
  garbageInUs: number | null,
];

export type SavedPeer = readonly [
  address: number,
  lastUpdateAgoUs: number,
  badPackets: number,
  badRoutes: number,
];

export const saveRoute = (route: RipRoute, nowUs: number): SavedRipRoute => [
  route.network,
  route.prefixLength,
  route.metric,
  route.tag,
  route.origin,
  route.port,
  route.via ?? null,
  route.from ?? null,
  route.hasChanged ? 1 : 0,
  route.timeoutUs === undefined ? null : Math.max(0, route.timeoutUs - nowUs),
  route.garbageUs === undefined ? null : Math.max(0, route.garbageUs - nowUs),
];

export function restoreRoute(saved: SavedRipRoute, nowUs: number): RipRoute {
  const [network, prefixLength, metric, tag, origin, port, via, from, hasChanged, timeoutInUs, garbageInUs] =
    saved;
  return {
    network,
    prefixLength,
    metric,
    tag,
    origin,
    port,
    via: via ?? undefined,
    from: from ?? undefined,
    hasChanged: hasChanged === 1,
    timeoutUs: timeoutInUs === null ? undefined : nowUs + timeoutInUs,
    garbageUs: garbageInUs === null ? undefined : nowUs + garbageInUs,
  };
}

/** The routes of neighbours that a router with this state uses. */
export const learnedRoutes = (routes: readonly RipRoute[]): LearnedRoute4[] =>
  routes
    .filter(({ origin, metric }) => origin === "rip" && metric < RIP_INFINITY)
    .map(({ network, prefixLength, port, via, metric }) => ({
      network,
      prefixLength,
      port,
      via,
      source: "rip",
      metric,
    }));
