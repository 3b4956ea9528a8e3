/** The commands of a router's console as tables of docs/devices/router-console.md. */

import { parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { type CommandSpec, usageOf } from "../../../packages/engine/devices/console/command.ts";
import { ROUTER_COMMANDS } from "../../../packages/engine/devices/router/shell/commands.ts";
import { modeOf } from "../../../packages/engine/devices/router/shell/configuration-mode.ts";

type Command = Pick<CommandSpec<never>, "head" | "syntax" | "usage" | "meaning" | "unlisted">;

/** Sections by the first word of a command, without `no`. A command that matches none is of the last section. */
const SECTIONS: readonly (readonly [title: string, words: RegExp])[] = [
  ["The console itself", /^(configure|help)\b/],
  ["Services", /^(vrrp|router|dns|dhcp-relay|dhcp-pool|dhcpv6|syslog|flows)\b/],
  ["Access lists, connections and translation", /^(\[ipv6\]|access-|connections|ip nat)/],
  ["Policy routing", /^pbr-/],
  ["Lists of routes, and route maps", /^(ip prefix-list|ipv6 prefix-list|bgp|route-map)\b/],
  ["Tables, counters and the configuration", /^show\b/],
  ["Forgetting and probing", /^(clear|ping|traceroute)\b/],
  ["Saving", /^(write|copy)\b/],
  ["Ports, interfaces and routes", /^/],
];

const sectionOf = (usage: string): string =>
  SECTIONS.find(([, words]) => words.test(usage.replace(/^no /, "")))![0];

function tableOf(commands: readonly Command[]): string {
  const rows = commands.map((command) => {
    const usage = usageOf(command as CommandSpec<never>).replaceAll("|", "\\|");
    return `| \`${usage}\` | ${command.meaning.replaceAll("|", "\\|")} |`;
  });
  return ["| command | what it does |", "| --- | --- |", ...rows].join("\n");
}

export function routerCommands(): string {
  const listed = ROUTER_COMMANDS.filter(({ unlisted }) => !unlisted);
  const of = (title: string) => listed.filter((command) => sectionOf(usageOf(command)) === title);
  return SECTIONS.map(([title]) => `### ${title}\n\n${tableOf(of(title))}`).join("\n\n");
}

/** Commands that are in a mode of configuration alone. */
export function modeCommands(kind: "config" | "interface" | "route-map"): string {
  const entry = { name: "a", seq: 1, action: "permit" };
  const parsed = parseRouterProperties({ ports: [{ name: "a" }], route_maps: [entry] });
  if (!parsed.ok) throw new Error("bad properties");
  const everywhere = new Set(ROUTER_COMMANDS.map(usageOf));
  const mode = kind === "config" ? ({ kind } as const) : ({ kind, name: "a", seq: 1 } as const);
  const [own = []] = modeOf(parsed.config, mode).layers;
  const isShown = ({ unlisted }: Command): boolean => kind !== "route-map" || !unlisted;
  return tableOf(own.filter((command) => isShown(command) && !everywhere.has(usageOf(command))));
}
