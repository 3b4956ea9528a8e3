/** `ip route` and `ipv6 route` of configuration mode: static routes in the words of FRR. */

import { formatAnyPrefix, parseAnyPrefix } from "../../../../net/address/prefix.ts";
import { distanceOf, routeLine, type StaticRoute } from "../../../../net/plane/route-spec.ts";
import type { RouterProperties } from "../base/config.ts";
import type { Configure, ConfigureCommands } from "../base/configuring.ts";
import { changing } from "../base/edit.ts";
import { readRouteWords } from "./commands.ts";

type Family = "ip" | "ipv6";

const SYNTAX = "PREFIX GW|blackhole|reject|Null0 [tag NUMBER] [N] [tag NUMBER] [vrf VRF] [track ADDR]";

/** FRR's names of routes that drop packets; as in FRR, `Null0` drops them in silence. */
const REJECTIONS: Readonly<Record<string, string>> = { reject: "unreachable", Null0: "blackhole" };

/** @returns an error as text if the words are no route of the family. */
function readRoute(family: Family, [to = "", via, ...words]: readonly string[]): StaticRoute | string {
  const prefix = parseAnyPrefix(to);
  if (prefix === null || to.includes(":") !== (family === "ipv6"))
    return `${to} is not an ${family === "ip" ? "IPv4 prefix, like 10.9.0.0/16" : "IPv6 prefix, like 2001:db8::/32"}`;
  const own = via === undefined ? [] : ["via", REJECTIONS[via] ?? via];
  const options = withDistance(words);
  return readRouteWords(formatAnyPrefix(prefix), [...own, ...options])!;
}

/** FRR's distance has no word in front of it; it stands before or behind the tag. */
function withDistance(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word, index) => /^\d+$/.test(word) && words[index - 1] !== "tag");
  return at === -1 || at > 2 ? words : words.toSpliced(at, 0, "distance");
}

/** A route that is there already stays as it is, as in FRR. */
const add = (family: Family): Configure =>
  changing((properties, args) => {
    const route = readRoute(family, args);
    if (typeof route === "string") return route;
    const { routes = [] } = properties;
    return routes.some((each) => routeLine(each) === routeLine(route))
      ? properties
      : { ...properties, routes: [...routes, route] };
  });

const remove = (family: Family): Configure =>
  changing((properties, args): RouterProperties | string => {
    const given = readRoute(family, args);
    if (typeof given === "string") return given;
    const { routes = [] } = properties;
    const kept = routes.filter((each) => !isMeant(each, given));
    return kept.length === routes.length
      ? "% Refusing to remove a non-existent route"
      : { ...properties, routes: kept };
  });

/** @param given may have no distance: then the distance of the route may be any. */
const isMeant = (route: StaticRoute, given: StaticRoute): boolean =>
  route.to === given.to &&
  route.via === given.via.toLowerCase() &&
  route.vrf === given.vrf &&
  (given.distance === undefined || distanceOf(route) === given.distance);

export const FRR_ROUTE_COMMANDS: ConfigureCommands = (["ip", "ipv6"] as const).flatMap((family) => [
  {
    head: `${family} route`,
    syntax: SYNTAX,
    meaning: "add a static route, of distance N (1)",
    run: add(family),
  },
  { head: `no ${family} route`, syntax: SYNTAX, meaning: "remove a static route", run: remove(family) },
]);
