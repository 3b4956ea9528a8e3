/** Commands of the DHCP relay. */
import type { RouterCommands } from "../command.ts";
import type { Parts } from "../parts.ts";
import { serviceCommands } from "../service-commands.ts";
import { formatTable } from "../text-table.ts";
import { DHCP_RELAY } from "./settings.ts";

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
  ...serviceCommands("dhcp_relay", DHCP_RELAY),
  { head: "show dhcp-relay", meaning: "ports and servers of the DHCP relay", run: showDhcpRelay },
];
