/** BGP of a simulated router, from its state between runs. */
import type { RouterSpec, RouterState } from "@wirelab/engine/devices/router/index";
import { bgpBetweenRuns } from "@wirelab/engine/devices/router/services/bgp/between-runs";
import { tablesOf } from "@wirelab/engine/devices/router/shell/tables-of";
import type { Tables } from "@wirelab/engine/net/plane/tables";
import { isWithoutPolicy } from "@wirelab/engine/routing/bgp/export";
import { type Bgp, type Neighbour, stateOf } from "@wirelab/engine/routing/bgp/state";
import { formatIpv4 } from "@wirelab/engine/wire/ipv4-address";
import type { BgpEnd } from "./bgp-end.ts";
import { type BgpView, unknownBgp } from "./bgp-view.ts";

/** @param state undefined for a router that is off. */
export function simulatedBgp(node: string, spec: RouterSpec, state: RouterState | undefined): BgpView {
  if (state === undefined) return unknownBgp(node, "is off");
  const tables = tablesOf(spec, state);
  const process = bgpBetweenRuns(state.running, tables, state.services?.bgp);
  if (process === undefined) return unknownBgp(node, "does not run BGP");
  const bgp = process.state;
  // A port without a carrier has an address all the same.
  const { ports } = tablesOf(spec, { ...state, portsDown: [] });
  return {
    node,
    obstacle: undefined,
    ends: [...bgp.neighbours.values()].map((neighbour) => endOf(node, bgp, neighbour, tables)),
    ports: ports.map(({ name, ipv4 }) => ({
      name,
      addresses: ipv4 === undefined ? [] : [formatIpv4(ipv4.address)],
    })),
  };
}

function endOf(node: string, bgp: Bgp, neighbour: Neighbour, tables: Tables): BgpEnd {
  const { config } = neighbour;
  const address = formatIpv4(config.address);
  const source = sourceOf(neighbour, tables);
  const unreachable = obstacleTo(neighbour, source, bgp);
  return {
    node,
    name: address,
    address,
    state: stateOf(neighbour),
    localAs: config.ownAs,
    remoteAs: config.remoteAs === 0 ? undefined : config.remoteAs,
    isShutDown: config.isShutDown,
    isPassive: config.isPassive,
    source: source === undefined ? undefined : formatIpv4(source),
    password: undefined,
    ...(unreachable !== undefined && { unreachable }),
    withoutPolicy: (["in", "out"] as const).filter((direction) => isWithoutPolicy(bgp, neighbour, direction)),
    lastError: neighbour.isOverLimit ? "too many prefixes" : neighbour.lastReset,
  };
}

function sourceOf({ config: { address, source } }: Neighbour, tables: Tables): number | undefined {
  if (typeof source === "number") return source;
  const port = source?.port ?? tables.routes4.find(address)?.port ?? -1;
  return tables.ports[port]?.ipv4?.address;
}

function obstacleTo(
  { config: { address, mustBeConnected, source: given } }: Neighbour,
  source: number | undefined,
  { host }: Bgp,
): string | undefined {
  const way = host.resolve(address, () => true);
  const name = formatIpv4(address);
  if (way === undefined) return `has no route to ${name}`;
  if (mustBeConnected && !way.isConnected)
    return `has ${name} on no connected subnet: ebgp_multihop or disable_connected_check is missing`;
  if (given !== undefined && (source === undefined || !host.isOwn(source)))
    return `has update_source for ${name}, and no address there`;
  return undefined;
}
