/** `dhcpv6 ...`, `no dhcpv6 ...` and `show dhcpv6`. */

import { formatTable } from "../../../../base/text-table.ts";
import { findPort, noSuchPort } from "../../../../net/plane/find-port.ts";
import type { RouterCommands } from "../base/command.ts";
import type { Parts } from "../base/parts.ts";
import type { Dhcpv6Server } from "./server.ts";
import { DHCPV6, type Dhcpv6Properties } from "./settings.ts";

type Lines = readonly string[];

const SYNTAX = `PORT ${DHCPV6.port.placeholder}`;

export function dhcpv6Command(parts: Parts, [name, ...words]: readonly string[]): Lines {
  if (name === undefined) return [`Usage: dhcpv6 ${SYNTAX}`];
  const port = findPort(parts.core.tables.ports, name);
  if (port === undefined) return [noSuchPort(name)];
  const settings = DHCPV6.port.parse(words) as Dhcpv6Properties[string] | undefined;
  if (settings === undefined) return [`Usage: dhcpv6 ${SYNTAX}`];
  return parts.change(({ dhcpv6, ...others }) => ({
    ...others,
    dhcpv6: { ...dhcpv6, [port.name]: settings },
  }));
}

export function noDhcpv6Command(parts: Parts, [name, ...rest]: readonly string[]): Lines {
  if (rest.length > 0) return ["Usage: no dhcpv6 [PORT]"];
  return parts.change(({ dhcpv6, ...others }) => {
    if (dhcpv6 === undefined) return "DHCPv6 is not configured";
    if (name === undefined) return others;
    const own = findPort(parts.core.tables.ports, name)?.name ?? name;
    const { [own]: _, ...kept } = dhcpv6;
    if (!Object.hasOwn(dhcpv6, own)) return `${own} has no DHCPv6 server`;
    return Object.keys(kept).length === 0 ? others : { ...others, dhcpv6: kept };
  });
}

export function showDhcpv6({ core, services }: Parts): Lines {
  const { dhcpv6 } = core.running;
  if (dhcpv6 === undefined) return ["DHCPv6 is not configured"];
  const { nowUs } = core.world;
  const leases = services.find<Dhcpv6Server>("dhcpv6")?.leases() ?? [];
  const rows = leases.map(({ address, client, iaid, expiresUs }) => [
    address,
    client || "-",
    String(iaid),
    expiresUs <= nowUs ? "over" : client === "" ? "in use" : "leased",
    `${Math.max(0, Math.ceil((expiresUs - nowUs) / 1_000_000))} s`,
  ]);
  return [
    ...Object.entries(dhcpv6).flatMap(([name, { range, leaseSeconds, reservations }]) => [
      `${name}: ${range ? `${range.first} to ${range.last}, lease ${leaseSeconds} s` : "no addresses"}`,
      ...reservations.map(({ mac, address }) => `${name}: ${address} is reserved for ${mac}`),
    ]),
    ...(rows.length === 0
      ? ["No leases"]
      : formatTable(["Address", "Client", "IAID", "State", "Ends in"], rows)),
  ];
}

export const DHCPV6_COMMANDS: RouterCommands = [
  {
    head: "dhcpv6",
    syntax: SYNTAX,
    meaning: "serve name servers on a port, and addresses from FIRST to LAST",
    run: dhcpv6Command,
    checksWords: true,
  },
  {
    head: "no dhcpv6",
    syntax: "[PORT]",
    meaning: "stop it, on all ports or on one",
    run: noDhcpv6Command,
    checksWords: true,
  },
  { head: "show dhcpv6", meaning: "ports and leases of DHCPv6", run: showDhcpv6 },
];
