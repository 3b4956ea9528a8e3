/** `dhcp-relay ...`, `no dhcp-relay ...` and `show dhcp-relay`. */
import { type RouterCommands, withWords } from "../command.ts";
import { change } from "../configure.ts";
import { findPort, noSuchPort } from "../find-port.ts";
import type { Parts } from "../parts.ts";
import { formatTable } from "../text-table.ts";

type Lines = readonly string[];

const USAGE = ["PORT SERVER [SERVER]", "max-hops N", "agent-option on|off"].map(
  (words) => `dhcp-relay ${words}`,
);

export function dhcpRelayCommand(parts: Parts, [what = "", ...args]: readonly string[]): Lines {
  const usage = [`Usage: ${USAGE.join(" | ")}`];
  const [value = "", ...rest] = args;
  const word = what.toLowerCase();
  if (word === "max-hops" || word === "agent-option") {
    const setting = rest.length === 0 ? readSetting(word, value.toLowerCase()) : undefined;
    if (setting === undefined) return usage;
    return change(parts, ({ dhcp_relay, ...others }) => ({
      ...others,
      dhcp_relay: { ...dhcp_relay, ...setting },
    }));
  }
  if (value === "") return usage;
  const port = findPort(parts.core.tables.ports, what);
  if (port === undefined) return [noSuchPort(what)];
  return change(parts, ({ dhcp_relay, ...others }) => ({
    ...others,
    dhcp_relay: { ...dhcp_relay, ports: { ...dhcp_relay?.ports, [port.name]: args.slice() } },
  }));
}

function readSetting(word: string, value: string): object | undefined {
  if (word === "max-hops") return /^\d{1,9}$/.test(value) ? { max_hops: Number(value) } : undefined;
  return value === "on" || value === "off" ? { agent_option: value === "on" } : undefined;
}

export function noDhcpRelayCommand(parts: Parts, [name, ...rest]: readonly string[]): Lines {
  if (rest.length > 0) return ["Usage: no dhcp-relay [PORT]"];
  return change(parts, ({ dhcp_relay, ...others }) => {
    if (dhcp_relay === undefined) return "The DHCP relay is not configured";
    if (name === undefined) return others;
    const own = findPort(parts.core.tables.ports, name)?.name ?? name;
    const { ports: before = {} } = dhcp_relay;
    const { [own]: _, ...ports } = before;
    if (!Object.hasOwn(before, own)) return `${own} passes no requests on`;
    return Object.keys(ports).length === 0 ? others : { ...others, dhcp_relay: { ...dhcp_relay, ports } };
  });
}

export function showDhcpRelay({ core }: Parts): Lines {
  const relay = core.running.dhcpRelay;
  if (relay === undefined) return ["The DHCP relay is not configured"];
  const rows = Object.entries(relay.ports).map(([name, servers]) => [name, servers.join(" ")]);
  return [
    `Hops: ${relay.maxHops} at most; option 82: ${relay.addsAgentOption ? "on" : "off"}`,
    ...(rows.length === 0 ? ["No port passes requests on"] : formatTable(["Port", "Servers"], rows)),
  ];
}

export const DHCP_RELAY_COMMANDS: RouterCommands = [
  {
    head: "dhcp-relay",
    syntax: "PORT SERVER...",
    usage: USAGE[0]!,
    meaning: "pass DHCP requests of a port on to servers",
    run: dhcpRelayCommand,
    checksWords: true,
  },
  {
    head: "dhcp-relay max-hops",
    syntax: "N",
    meaning: "drop requests that more relays have passed on (4)",
    run: withWords(dhcpRelayCommand, "max-hops"),
    checksWords: true,
  },
  {
    head: "dhcp-relay agent-option",
    syntax: "on|off",
    meaning: "send the servers the port of the request (option 82)",
    run: withWords(dhcpRelayCommand, "agent-option"),
    checksWords: true,
  },
  {
    head: "no dhcp-relay",
    syntax: "[PORT]",
    meaning: "end it, on all ports or on one",
    run: noDhcpRelayCommand,
    checksWords: true,
  },
  { head: "show dhcp-relay", meaning: "ports and servers of the DHCP relay", run: showDhcpRelay },
];
