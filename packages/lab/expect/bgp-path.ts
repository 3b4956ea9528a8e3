/** A path of BGP beside the attributes that a file wants of it. */
import type { BgpPath } from "../adjacency/bgp-routes.ts";
import { holds } from "../model/comparison.ts";
import type { WantedBgp } from "../model/expectation.ts";

export function hasBgp(wanted: WantedBgp, path: BgpPath): boolean {
  const { asPath, communities, origin, localPreference, med, weight } = wanted;
  const isAmount = (comparison: WantedBgp["med"], value: number | undefined): boolean =>
    comparison === undefined || (value !== undefined && holds(comparison, value));
  return (
    (asPath === undefined || asPath === path.asPath) &&
    (communities === undefined || communities.join() === path.communities?.join()) &&
    (origin === undefined || origin === path.origin) &&
    isAmount(localPreference, path.localPreference) &&
    isAmount(med, path.med) &&
    isAmount(weight, path.weight)
  );
}

export function describeBgp(wanted: WantedBgp): string[] {
  const { asPath, communities, origin, localPreference, med, weight } = wanted;
  return [
    ...(asPath === undefined ? [] : [`path ${asPath || "of no AS"}`]),
    ...(origin === undefined ? [] : [`origin ${origin}`]),
    ...(localPreference === undefined ? [] : [`local preference ${localPreference.text}`]),
    ...(med === undefined ? [] : [`MED ${med.text}`]),
    ...(weight === undefined ? [] : [`weight ${weight.text}`]),
    ...(communities === undefined ? [] : [`communities ${communities.join(" ") || "none"}`]),
  ];
}

export function describePath(path: BgpPath): string {
  const { via, asPath, origin, localPreference, med, weight, communities = [] } = path;
  return [
    via === "local" ? "local" : `via ${via}`,
    `path ${asPath || "of no AS"}`,
    `origin ${origin}`,
    ...(localPreference === undefined ? [] : [`local preference ${localPreference}`]),
    ...(med === undefined ? [] : [`MED ${med}`]),
    `weight ${weight}`,
    ...(communities.length === 0 ? [] : [`communities ${communities.join(" ")}`]),
  ].join(", ");
}
