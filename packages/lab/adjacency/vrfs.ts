/** Which ports of a router are in which table of routes (VRF). A port's VRF is its master; a bridge or a bond is another one. */
import type { IpPort } from "../guest-state/ip.ts";
import type { RouterConfig } from "./router-config.ts";

interface Configured {
  readonly config: RouterConfig;
  readonly ports: readonly IpPort[];
}

/** Returns the VRFs in which a configuration has neighbours. */
export const vrfsOf = ({ ospf, bgp }: RouterConfig): ReadonlySet<string> =>
  new Set([...ospf, ...bgp].flatMap(({ vrf }) => vrf ?? []));

/** Returns the ports of a VRF, with its own interface; without a VRF, those that are in none of the configuration. */
export function portsIn({ config, ports }: Configured, vrf: string | undefined): readonly IpPort[] {
  if (vrf !== undefined) return ports.filter(({ name, master }) => name === vrf || master === vrf);
  const all = vrfsOf(config);
  return ports.filter(({ name, master }) => !all.has(name) && !all.has(master ?? ""));
}
