/** The commands of DHCPv6. */

import { formatTable } from "../../../../base/text-table.ts";
import type { RouterCommands } from "../base/command.ts";
import type { Parts } from "../base/parts.ts";
import { DHCPV6_CONFIGURE } from "./configure.ts";
import type { Dhcpv6Server } from "./server.ts";

type Lines = readonly string[];

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
  ...DHCPV6_CONFIGURE,
  { head: "show dhcpv6", meaning: "ports and leases of DHCPv6", run: showDhcpv6 },
];
