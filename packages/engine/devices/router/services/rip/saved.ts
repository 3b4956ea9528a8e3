/** RIP between two runs. No frame moves between runs, so timers keep the time that was left of them. */
import type { Rib } from "../../../../net/fib/rib.ts";
import { RIP_INFINITY } from "../../../../wire/rip.ts";
import type { SavedAuthentication } from "./authentication.ts";
import type { RipRoute } from "./table.ts";

/** The distance of routes that RIP has learned. */
const RIP_DISTANCE = 120;

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
  /** Absent before a route map sets one. */
  hop?: number,
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
  ...(route.hop === undefined ? ([] as const) : ([route.hop] as const)),
];

export function restoreRoute(saved: SavedRipRoute, nowUs: number): RipRoute {
  const [
    network,
    prefixLength,
    metric,
    tag,
    origin,
    port,
    via,
    from,
    hasChanged,
    timeoutInUs,
    garbageInUs,
    hop,
  ] = saved;
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
    hop,
  };
}

/** Puts a route of a neighbour into a table of routes while it is reachable; an own route is there as another source's. */
export function installRoute(routes4: Rib<number>, route: RipRoute, distance = RIP_DISTANCE): void {
  const { network, prefixLength, origin, metric, tag, port, via } = route;
  const isUsed = origin === "rip" && metric < RIP_INFINITY;
  routes4.set(
    network,
    prefixLength,
    "rip",
    isUsed
      ? [
          {
            network,
            prefixLength,
            source: "rip",
            distance,
            metric,
            ...(tag !== 0 && { tag }),
            order: 0,
            port,
            via,
          },
        ]
      : [],
  );
}

declare module "../base/service.ts" {
  interface SavedServices {
    readonly rip?: SavedRip;
  }
}
