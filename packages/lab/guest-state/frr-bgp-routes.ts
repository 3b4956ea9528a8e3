/** FRR's `show bgp ipv4 unicast json`, as of FRR 8.4. */
import { fieldsOf } from "../file/fields.ts";
import { listOf, numberOf, parseJson, textOf } from "./json.ts";

export interface FrrBgpPath {
  readonly isBest: boolean;
  /** The next hop, or `local` for a route of the node itself. */
  readonly via: string;
  /** `65001 65002 {7,8}`; empty for a route that begins in the own AS. */
  readonly asPath: string;
  /** `igp`, `egp` or `incomplete`. */
  readonly origin: string;
  readonly localPreference: number | undefined;
  readonly med: number | undefined;
  readonly weight: number;
  /** By which step of the decision the best path was chosen before others, in FRR's words. */
  readonly reason: string | undefined;
}

/** The only path was chosen by no step. */
const ONLY = "First path received";

/** @returns the paths by prefix; undefined if the daemon has printed something else. */
export function parseFrrBgpRoutes(text: string): ReadonlyMap<string, readonly FrrBgpPath[]> | undefined {
  const data = parseJson(text);
  if (data === undefined) return undefined;
  const routes = Object.entries(fieldsOf(fieldsOf(data).routes));
  return new Map(routes.map(([prefix, paths]) => [prefix, listOf(paths).map(pathOf)]));
}

function pathOf(value: unknown): FrrBgpPath {
  const { bestpath, nexthops, path, origin, locPrf, metric, weight, selectionReason } = fieldsOf(value);
  const hop = textOf(fieldsOf(listOf(nexthops)[0]).ip) ?? "";
  const isBest = bestpath === true;
  return {
    isBest,
    via: hop === "0.0.0.0" ? "local" : hop,
    asPath: textOf(path) ?? "",
    origin: (textOf(origin) ?? "").toLowerCase(),
    localPreference: numberOf(locPrf),
    med: numberOf(metric),
    weight: numberOf(weight) ?? 0,
    reason: isBest && selectionReason !== ONLY ? textOf(selectionReason) : undefined,
  };
}
