/** Commands of the DHCP relay. */

import { formatTable } from "../../../../base/text-table.ts";
import type { RouterCommands } from "../base/command.ts";
import type { Parts } from "../base/parts.ts";
import { DHCP_RELAY_CONFIGURE } from "./configure.ts";

export function showDhcpRelay({ core }: Parts): readonly string[] {
  const relay = core.running.dhcpRelay;
  if (relay === undefined) return ["The DHCP relay is not configured"];
  const rows = Object.entries(relay.ports).map(([name, servers]) => [name, servers.join(" ")]);
  return [
    `Hops: ${relay.maxHops} at most; option 82: ${relay.addsAgentOption ? "on" : "off"}`,
    ...(rows.length === 0 ? ["No port passes requests on"] : formatTable(["Port", "Servers"], rows)),
  ];
}

export const DHCP_RELAY_COMMANDS: RouterCommands = [
  ...DHCP_RELAY_CONFIGURE,
  { head: "show dhcp-relay", meaning: "ports and servers of the DHCP relay", run: showDhcpRelay },
];
