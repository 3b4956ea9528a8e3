/** The words of `route ...` at the console. */
import { text } from "../../../settings/kind.ts";
import { optional } from "../../../settings/shape.ts";
import { edited, syntaxOf } from "../../../settings/words.ts";
import { isRejection, ROUTE_OPTIONS, type RouterRouteSpec } from "./route-spec.ts";

export const ROUTE_SYNTAX = syntaxOf(ROUTE_OPTIONS);
export const ROUTE_USAGE =
  "route add PREFIX via GW|blackhole|unreachable [distance N] [track ADDR] [vrf NAME] | route del PREFIX [via GW] [distance N] [vrf NAME]";

/** @param words what follows the prefix. Undefined if they are wrong. `via` may be missing before a rejection, as in FRR. */
export function readRouteWords(to: string, words: readonly string[]): RouterRouteSpec | undefined {
  const [via, ...options] = words[0] === "via" || !isRejection(words[0]) ? viaOf(words) : words;
  return via === undefined ? undefined : edited<RouterRouteSpec>(ROUTE_OPTIONS, { to, via }, options);
}

const viaOf = ([word, ...rest]: readonly string[]): readonly string[] => (word === "via" ? rest : []);

/** Which of the routes to a prefix; all if nothing is named. The gateway is as typed. */
export type RouteChoice = Partial<Pick<RouterRouteSpec, "via" | "distance">> & Pick<RouterRouteSpec, "vrf">;

const { distance, vrf } = ROUTE_OPTIONS;
const CHOICE = { via: optional(text("GW")), distance, vrf };

/** What follows the prefix in `route del`; undefined if it is wrong. */
export const readChoice = (words: readonly string[]): RouteChoice | undefined =>
  edited<RouteChoice>(CHOICE, {}, words);
