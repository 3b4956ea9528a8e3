/** `dhcp-pool ...` and `no dhcp-pool ...`. */
import { change, readPoolOptions } from "../configure.ts";
import type { Parts } from "../parts.ts";

type Lines = readonly string[];

const USAGE =
  "dhcp-pool SUBNET gateway ADDR FIRST LAST [lease SECONDS] [dns A [B]] [domain NAME] [reserve MAC ADDR]";

export const DHCP_POOL_HELP: readonly (readonly [string, string])[] = [
  [USAGE, "serve addresses to a subnet behind a relay"],
  ["no dhcp-pool SUBNET", "stop serving them"],
];

export function dhcpPoolCommand(parts: Parts, args: readonly string[]): Lines {
  const [subnet = "", word = "", gateway = "", first = "", last, ...options] = args;
  const settings = readPoolOptions(options);
  if (word.toLowerCase() !== "gateway" || last === undefined || settings === undefined)
    return [`Usage: ${USAGE}`];
  return change(parts, ({ dhcp_pools = [], ...others }) => {
    const kept = dhcp_pools.filter((pool) => pool.subnet !== subnet);
    return { ...others, dhcp_pools: [...kept, { subnet, gateway, first, last, ...settings }] };
  });
}

export function noDhcpPoolCommand(parts: Parts, [subnet, ...rest]: readonly string[]): Lines {
  if (subnet === undefined || rest.length > 0) return ["Usage: no dhcp-pool SUBNET"];
  return change(parts, ({ dhcp_pools = [], ...others }) => {
    const kept = dhcp_pools.filter((pool) => pool.subnet !== subnet);
    if (kept.length === dhcp_pools.length) return `There is no pool for ${subnet}`;
    return kept.length === 0 ? others : { ...others, dhcp_pools: kept };
  });
}
