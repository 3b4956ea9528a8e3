/** The words of `route ...` at the console. */
import { isRejection, type RouterRouteSpec } from "./route-spec.ts";

export const ROUTE_USAGE =
  "route add PREFIX via GW|blackhole|unreachable [distance N] [track ADDR] [vrf NAME] | route del PREFIX [via GW] [distance N] [vrf NAME]";

/** @param words what follows the prefix. Undefined if they are wrong. `via` may be missing before a rejection, as in FRR. */
export function readRouteWords(to: string, words: readonly string[]): RouterRouteSpec | undefined {
  const [via, ...rest] = words[0] === "via" || !isRejection(words[0]) ? viaOf(words) : words;
  if (via === undefined || rest.length % 2 !== 0) return undefined;
  let route: RouterRouteSpec = { to, via };
  for (let at = 0; at < rest.length; at += 2) {
    const [word, value = ""] = rest.slice(at, at + 2);
    if (word === "distance" && isNumber(value)) route = { ...route, distance: Number(value) };
    else if (word === "track") route = { ...route, track: value };
    else if (word === "vrf" && value !== "") route = { ...route, vrf: value };
    else return undefined;
  }
  return route;
}

const viaOf = ([word, ...rest]: readonly string[]): readonly string[] => (word === "via" ? rest : []);

/** Which of the routes to a prefix. */
export interface RouteChoice {
  readonly distance: number | "any";
  /** As typed; undefined for all. */
  readonly via: string | undefined;
  readonly vrf: string | undefined;
}

/** What follows the prefix in `route del`; undefined if it is wrong. */
export function readChoice(words: readonly string[]): RouteChoice | undefined {
  let choice: RouteChoice = { distance: "any", via: undefined, vrf: undefined };
  for (let at = 0; at < words.length; at += 2) {
    const [word, value = ""] = words.slice(at, at + 2);
    if (word === "distance" && isNumber(value)) choice = { ...choice, distance: Number(value) };
    else if (word === "via" && value !== "") choice = { ...choice, via: value };
    else if (word === "vrf" && value !== "") choice = { ...choice, vrf: value };
    else return undefined;
  }
  return choice;
}

export function routeLine({ to, via, distance, track, vrf }: RouterRouteSpec): string {
  const further = distance === undefined ? "" : ` distance ${distance}`;
  const tracked = track === undefined ? "" : ` track ${track}`;
  return `route add ${to} via ${via}${further}${tracked}${vrf === undefined ? "" : ` vrf ${vrf}`}`;
}

const isNumber = (text: string): boolean => /^\d{1,9}$/.test(text);
