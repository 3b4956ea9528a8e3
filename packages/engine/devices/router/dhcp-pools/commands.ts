/** `dhcp-pool ...` and `no dhcp-pool ...`. */
import type { RouterCommands } from "../command.ts";
import { change, readPoolOptions } from "../configure.ts";
import type { Parts } from "../parts.ts";

type Lines = readonly string[];

const USAGE =
  "dhcp-pool SUBNET gateway ADDR FIRST LAST [lease SECONDS] [dns A [B]] [domain NAME] [reserve MAC ADDR]";

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

export const DHCP_POOL_COMMANDS: RouterCommands = [
  {
    head: "dhcp-pool",
    syntax:
      "SUBNET gateway ADDR FIRST LAST [lease SECONDS] [dns ADDR...] [domain NAME] [reserve MAC ADDR]...",
    usage: USAGE,
    meaning: "serve addresses to a subnet behind a relay",
    run: dhcpPoolCommand,
    checksWords: true,
  },
  {
    head: "no dhcp-pool",
    syntax: "SUBNET",
    meaning: "stop serving them",
    run: noDhcpPoolCommand,
    checksWords: true,
  },
];
