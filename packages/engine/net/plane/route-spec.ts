/** Static routes: a gateway with a distance and a tracked target, or a rejection of the packets. */

import { anyAddress } from "../../settings/addresses.ts";
import { integer, spelled } from "../../settings/kind.ts";
import { optional, required, type SpecOf, unlessUsual } from "../../settings/shape.ts";
import { prefixKind, vrfName } from "../address/network-kinds.ts";
import { formatAnyAddress, parseAnyAddress, parseAnyPrefix } from "../address/prefix.ts";
import type { Rejection } from "../fib/route.ts";

export const DEFAULT_DISTANCE = 1;
/** As in FRR, where 255 is a route that never applies. */
const MAX_DISTANCE = 254;

const MAX_TAG = 4_294_967_295;

export const isRejection = (via: unknown): via is Rejection => via === "blackhole" || via === "unreachable";

/** Null if the text is neither a gateway's address nor a rejection. */
export const parseVia = (text: string): number | bigint | Rejection | null =>
  isRejection(text) ? text : parseAnyAddress(text);

function normalVia(text: string): string | null {
  const via = parseVia(text);
  return via === null || isRejection(via) ? via : formatAnyAddress(via);
}

export const ROUTE_OPTIONS = {
  distance: unlessUsual(integer(1, MAX_DISTANCE), DEFAULT_DISTANCE, {
    about: "of the routes to one network, the one with the lowest applies",
  }),
  track: optional(anyAddress, {
    about: "an address that answers pings by way of the gateway while the route applies",
  }),
  tag: optional(integer(1, MAX_TAG), { about: "what route maps know the route by" }),
  vrf: optional(vrfName, { about: "the table of routes; absent for the default one" }),
} as const;

export const ROUTE = {
  to: required(prefixKind("a prefix (10.9.0.0/16 or 2001:db8::/32)", parseAnyPrefix, "PREFIX"), {
    about: "the prefix of the network",
  }),
  via: required(
    spelled("an IPv4 or IPv6 address, blackhole or unreachable", normalVia, { placeholder: "GW" }),
    { about: "a gateway; blackhole and unreachable drop the packets, in silence or with an error" },
  ),
  ...ROUTE_OPTIONS,
} as const;

/** A static route. Its addresses are of one family. */
export type StaticRoute = SpecOf<typeof ROUTE>;

/** FRR's words for routes that drop packets. */
const REJECTIONS: Readonly<Record<string, string>> = { unreachable: "reject" };

/** The line in the words of FRR; `track` is the router's own. */
export function routeLine({ to, via, distance, tag, vrf, track }: StaticRoute): string {
  const options = [
    tag === undefined ? [] : ["tag", tag],
    distance === undefined ? [] : [distance],
    vrf === undefined ? [] : ["vrf", vrf],
    track === undefined ? [] : ["track", track],
  ];
  return [to.includes(":") ? "ipv6" : "ip", "route", to, REJECTIONS[via] ?? via, ...options.flat()].join(" ");
}

export const distanceOf = ({ distance = DEFAULT_DISTANCE }: Pick<StaticRoute, "distance">): number =>
  distance;

/** Identifies what a route tracks: a target by way of a gateway; undefined if it tracks nothing. */
export const trackKey = ({
  via,
  track,
  vrf,
}: Pick<StaticRoute, "via" | "track" | "vrf">): string | undefined =>
  track === undefined ? undefined : `${track} via ${via}${vrf === undefined ? "" : ` vrf ${vrf}`}`;
