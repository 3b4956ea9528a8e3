/** `dhcp-pool ...` and `no dhcp-pool ...`. */

import { pool } from "../../../../net/dhcp/pool-shape.ts";
import type { ConfigureCommands, Configuring } from "../base/configuring.ts";
import type { RemotePoolProperties } from "./settings.ts";

type Lines = readonly string[];

const SYNTAX = `SUBNET gateway ADDR ${pool.placeholder}`;

export function dhcpPoolCommand(parts: Configuring, args: readonly string[]): Lines {
  const [subnet = "", word = "", gateway = "", ...words] = args;
  const settings = pool.parse(words) as RemotePoolProperties | undefined;
  if (word.toLowerCase() !== "gateway" || settings === undefined) return [`Usage: dhcp-pool ${SYNTAX}`];
  return parts.change(({ dhcp_pools = [], ...others }) => {
    const kept = dhcp_pools.filter((each) => each.subnet !== subnet);
    return { ...others, dhcp_pools: [...kept, { subnet, gateway, ...settings }] };
  });
}

export function noDhcpPoolCommand(parts: Configuring, [subnet, ...rest]: readonly string[]): Lines {
  if (subnet === undefined || rest.length > 0) return ["Usage: no dhcp-pool SUBNET"];
  return parts.change(({ dhcp_pools = [], ...others }) => {
    const kept = dhcp_pools.filter((each) => each.subnet !== subnet);
    if (kept.length === dhcp_pools.length) return `There is no pool for ${subnet}`;
    return kept.length === 0 ? others : { ...others, dhcp_pools: kept };
  });
}

export const DHCP_POOL_COMMANDS: ConfigureCommands = [
  {
    head: "dhcp-pool",
    syntax: SYNTAX,
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
