/** Static routes: a gateway with a distance and a tracked target, or a rejection of the packets. */
import { parseAnyAddress } from "../prefix.ts";

/** A static route. Its addresses are of one family. */
export interface RouterRouteSpec {
  readonly to: string;
  /** A gateway, or a `Rejection`. */
  readonly via: string;
  /** Absent if it is `DEFAULT_DISTANCE`. Of the routes to one network, the one with the lowest applies. */
  readonly distance?: number;
  /** An address that answers pings by way of the gateway while the route applies. */
  readonly track?: string;
  /** The table of routes; absent for the default one. */
  readonly vrf?: string;
}

/** What happens to packets: `unreachable` returns an ICMP error, `blackhole` none. */
export type Rejection = "blackhole" | "unreachable";

export const DEFAULT_DISTANCE = 1;
/** The distance of routes that RIP has learned. */
export const RIP_DISTANCE = 120;
/** As in FRR, where 255 is a route that never applies. */
export const MAX_DISTANCE = 254;

export const isRejection = (via: unknown): via is Rejection => via === "blackhole" || via === "unreachable";

/** Null if the text is neither a gateway's address nor a rejection. */
export const parseVia = (text: string): number | bigint | Rejection | null =>
  isRejection(text) ? text : parseAnyAddress(text);

export const formatRoute = ({ to, via, distance, track, vrf }: RouterRouteSpec): RouterRouteSpec => ({
  to,
  via,
  ...(distance !== undefined && { distance }),
  ...(track !== undefined && { track }),
  ...(vrf !== undefined && { vrf }),
});

export const distanceOf = ({ distance = DEFAULT_DISTANCE }: Pick<RouterRouteSpec, "distance">): number =>
  distance;

/** Identifies what a route tracks: a target by way of a gateway; undefined if it tracks nothing. */
export const trackKey = ({
  via,
  track,
  vrf,
}: Pick<RouterRouteSpec, "via" | "track" | "vrf">): string | undefined =>
  track === undefined ? undefined : `${track} via ${via}${vrf === undefined ? "" : ` vrf ${vrf}`}`;
