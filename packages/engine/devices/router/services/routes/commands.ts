/** `route ...` at the console. */

import { formatAnyPrefix, parseAnyPrefix } from "../../../../net/address/prefix.ts";
import {
  distanceOf,
  isRejection,
  parseVia,
  ROUTE_OPTIONS,
  type StaticRoute,
} from "../../../../net/plane/route-spec.ts";
import { text } from "../../../../settings/kind.ts";
import { optional } from "../../../../settings/shape.ts";
import { edited, syntaxOf } from "../../../../settings/words.ts";
import type { RouterProperties } from "../base/config.ts";
import type { Configure } from "../base/configuring.ts";

export const ROUTE_SYNTAX = syntaxOf(ROUTE_OPTIONS);
const ROUTE_USAGE =
  "route add PREFIX via GW|blackhole|unreachable [distance N] [track ADDR] [vrf NAME] | route del PREFIX [via GW] [distance N] [vrf NAME]";

/** @param words what follows the prefix. Undefined if they are wrong. `via` may be missing before a rejection, as in FRR. */
export function readRouteWords(to: string, words: readonly string[]): StaticRoute | undefined {
  const [via, ...options] = words[0] === "via" || !isRejection(words[0]) ? viaOf(words) : words;
  return via === undefined ? undefined : edited<StaticRoute>(ROUTE_OPTIONS, { to, via }, options);
}

const viaOf = ([word, ...rest]: readonly string[]): readonly string[] => (word === "via" ? rest : []);

/** Which of the routes to a prefix; all if nothing is named. The gateway is as typed. */
type RouteChoice = Partial<Pick<StaticRoute, "via" | "distance">> & Pick<StaticRoute, "vrf">;

const { distance, vrf } = ROUTE_OPTIONS;
const CHOICE = { via: optional(text("GW")), distance, vrf };

/** What follows the prefix in `route del`; undefined if it is wrong. */
const readChoice = (words: readonly string[]): RouteChoice | undefined =>
  edited<RouteChoice>(CHOICE, {}, words);

export const routeCommand: Configure = (parts, args) => {
  const [verb, prefix = "", ...words] = args.map((arg, index) =>
    args[index - 1]?.toLowerCase() === "vrf" ? arg : arg.toLowerCase(),
  );
  const route = verb === "add" && prefix !== "" ? readRouteWords(prefix, words) : undefined;
  if (route !== undefined)
    return parts.change((properties) => ({
      ...properties,
      routes: [...(properties.routes ?? []), route],
    }));
  const choice = verb === "del" && prefix !== "" ? readChoice(words) : undefined;
  if (choice !== undefined) return parts.change((properties) => removeRoute(properties, prefix, choice));
  return [`Usage: ${ROUTE_USAGE}`];
};

function removeRoute(
  properties: RouterProperties,
  text: string,
  { distance, via, vrf }: RouteChoice,
): RouterProperties | string {
  const prefix = parseAnyPrefix(text);
  if (prefix === null) return `${text} is not a prefix, like 10.9.0.0/16 or 2001:db8::/32`;
  const spelled = formatAnyPrefix(prefix);
  const gateway = via === undefined ? undefined : parseVia(via);
  if (gateway === null) return `${via} is not an IPv4 or IPv6 address, blackhole or unreachable`;
  const routes = (properties.routes ?? []).filter(
    (route) =>
      route.to !== spelled ||
      route.vrf !== vrf ||
      (distance !== undefined && distanceOf(route) !== distance) ||
      (gateway !== undefined && parseVia(route.via) !== gateway),
  );
  if (routes.length === (properties.routes ?? []).length)
    return `There is no static route to ${spelled}${via === undefined ? "" : ` via ${via}`}`;
  return { ...properties, routes };
}
