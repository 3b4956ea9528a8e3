/** The settings of the DHCP relay: as they are configured, and with the names of the API's `properties`. */

import { formatIpv4, parseIpv4 } from "../../../wire/ipv4-address.ts";
import type { Path, PropertyReader } from "../../property-reader.ts";
import type { PortDraft } from "../property-drafts.ts";
import { settingsByPort } from "../settings-by-port.ts";

export interface DhcpRelaySpec {
  /** The servers of each port, by its name. */
  readonly ports: Readonly<Record<string, readonly string[]>>;
  readonly maxHops: number;
  /** Whether requests get the option of relay agents (RFC 3046) with the name of their port. */
  readonly addsAgentOption: boolean;
}

export interface DhcpRelayProperties {
  ports?: Record<string, string | string[]>;
  max_hops?: number;
  agent_option?: boolean;
}

export const MAX_RELAY_SERVERS = 4;
/** RFC 1542, section 4.1.1. */
export const DEFAULT_MAX_HOPS = 4;
const MOST_HOPS = 16;
const KEYS = ["ports", "max_hops", "agent_option"];

/** @param ports null if the list of ports is invalid. @returns undefined if a value is invalid: the reader then has the problem. */
export function readDhcpRelay(
  reader: PropertyReader,
  value: unknown,
  ports: readonly PortDraft[] | null,
): DhcpRelaySpec | undefined {
  const relay = reader.object(value, ["dhcp_relay"], KEYS);
  if (relay === null) return undefined;
  const { max_hops = DEFAULT_MAX_HOPS, agent_option = false } = relay;
  const read = {
    ports: settingsByPort(reader, relay.ports ?? {}, ["dhcp_relay", "ports"], (name, given, path) => {
      const port = checkedPort(reader, name, path, ports);
      const servers = port === null ? null : readServers(reader, given, path, ports);
      return port === null || servers === null ? null : [port, servers];
    }),
    maxHops: reader.integer(max_hops, ["dhcp_relay", "max_hops"], 1, MOST_HOPS),
    addsAgentOption: reader.boolean(agent_option, ["dhcp_relay", "agent_option"]),
  };
  return Object.values(read).includes(null) ? undefined : (read as DhcpRelaySpec);
}

function checkedPort(
  reader: PropertyReader,
  name: string,
  path: Path,
  ports: readonly PortDraft[] | null,
): string | null {
  if (ports === null || ports.some((each) => each.name === null)) return name;
  const port = ports.find((each) => each.name!.toLowerCase() === name.toLowerCase());
  if (port === undefined) return reader.add(path, `${JSON.stringify(name)} is not the name of a port`);
  if (port.ipv4 === undefined) return reader.add(path, "a relay needs an IPv4 address on the same port");
  return port.dhcp === undefined ? port.name : reader.add(path, `${port.name} serves addresses itself`);
}

function readServers(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  ports: readonly PortDraft[] | null,
): string[] | null {
  const given = typeof value === "string" ? [value] : reader.array(value, path, 1, MAX_RELAY_SERVERS);
  const servers = given?.map((each, index) => {
    const where = Array.isArray(value) ? [...path, index] : path;
    const address = reader.parsed(each, where, parseIpv4, "an IPv4 address");
    const isOwn = (ports ?? []).some(({ ipv4 }) => ipv4?.address === address && address !== null);
    return isOwn ? reader.add(where, `${formatIpv4(address!)} is the router's own address`) : address;
  });
  return servers && !servers.includes(null) ? servers.map((each) => formatIpv4(each!)) : null;
}

export const formatDhcpRelay = ({ ports, maxHops, addsAgentOption }: DhcpRelaySpec): DhcpRelayProperties => ({
  ports: Object.fromEntries(Object.entries(ports).map(([name, servers]) => [name, [...servers]])),
  max_hops: maxHops,
  agent_option: addsAgentOption,
});

/** The commands that configure the relay; defaults are omitted. */
export const dhcpRelayLines = ({ ports, maxHops, addsAgentOption }: DhcpRelaySpec): string[] => [
  ...(maxHops === DEFAULT_MAX_HOPS && Object.keys(ports).length > 0
    ? []
    : [`dhcp-relay max-hops ${maxHops}`]),
  ...(addsAgentOption ? ["dhcp-relay agent-option on"] : []),
  ...Object.entries(ports).map(([name, servers]) => `dhcp-relay ${name} ${servers.join(" ")}`),
];
