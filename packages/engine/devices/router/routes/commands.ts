/** The words of `route ...` at the console. */
import { isRejection, type RouterRouteSpec } from "./route-spec.ts";

export const ROUTE_USAGE =
  "route add PREFIX via GW|blackhole|unreachable [distance N] [track ADDR] | route del PREFIX [distance N]";

/** @param words what follows the prefix. Undefined if they are wrong. `via` may be missing before a rejection, as in FRR. */
export function readRouteWords(to: string, words: readonly string[]): RouterRouteSpec | undefined {
  const [via, ...rest] = words[0] === "via" || !isRejection(words[0]) ? viaOf(words) : words;
  if (via === undefined || rest.length % 2 !== 0) return undefined;
  let route: RouterRouteSpec = { to, via };
  for (let at = 0; at < rest.length; at += 2) {
    const [word, value = ""] = rest.slice(at, at + 2);
    if (word === "distance" && isNumber(value)) route = { ...route, distance: Number(value) };
    else if (word === "track") route = { ...route, track: value };
    else return undefined;
  }
  return route;
}

const viaOf = ([word, ...rest]: readonly string[]): readonly string[] => (word === "via" ? rest : []);

/** What follows the prefix in `route del`; undefined if it is wrong. */
export function readDistance([word, value = "", ...rest]: readonly string[]): number | "any" | undefined {
  if (word === undefined) return "any";
  return word === "distance" && isNumber(value) && rest.length === 0 ? Number(value) : undefined;
}

export function routeLine({ to, via, distance, track }: RouterRouteSpec): string {
  const further = distance === undefined ? "" : ` distance ${distance}`;
  return `route add ${to} via ${via}${further}${track === undefined ? "" : ` track ${track}`}`;
}

const isNumber = (text: string): boolean => /^\d{1,9}$/.test(text);
