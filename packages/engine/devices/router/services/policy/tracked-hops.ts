/** The next hops of policies that track an address, in the form of the static routes that do. */

import { formatAnyAddress } from "../../../../net/address/prefix.ts";
import { interfacesOf } from "../../../../net/plane/config.ts";
import type { StaticRoute } from "../../../../net/plane/route-spec.ts";
import type { RouterConfig } from "../base/config.ts";
import { parsePbrRule } from "./parse-pbr-rule.ts";
import type { NextHop, PbrRule } from "./pbr-rule.ts";

type Tracked = Pick<StaticRoute, "via" | "track" | "vrf">;

/** As `trackKey` takes it. */
export const trackedAs = ({ via, track }: NextHop, vrf: string | undefined): Tracked => ({
  via: formatAnyAddress(via),
  ...(track !== undefined && { track: formatAnyAddress(track) }),
  ...(vrf !== undefined && { vrf }),
});

/** The VRFs of the interfaces that a map is the policy of; undefined stands for the default table. */
export const vrfsOfMap = (config: RouterConfig, name: string): (string | undefined)[] => [
  ...new Set(interfacesOf(config).flatMap(({ pbr, vrf }) => (pbr === name ? [vrf] : []))),
];

export function trackedHops(config: RouterConfig): Tracked[] {
  const found: Tracked[] = [];
  for (const { name, rules } of config.pbrMaps ?? []) {
    const vrfs = vrfsOfMap(config, name);
    for (const text of vrfs.length === 0 ? [] : rules) {
      const { action } = parsePbrRule(text, 0) as PbrRule;
      const hops = action.kind === "nexthop" ? action.hops : [];
      for (const hop of hops)
        if (hop.track !== undefined) found.push(...vrfs.map((vrf) => trackedAs(hop, vrf)));
    }
  }
  return found;
}
