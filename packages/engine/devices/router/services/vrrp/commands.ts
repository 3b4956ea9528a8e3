/** `vrrp ...` configures a virtual router of an interface; `show vrrp` prints them. */

import { formatTable } from "../../../../base/text-table.ts";
import { edited } from "../../../../settings/words.ts";
import { formatMac } from "../../../../wire/mac.ts";
import { virtualMac } from "../../../../wire/vrrp.ts";
import type { RouterCommands } from "../base/command.ts";
import type { PortProperties } from "../base/config.ts";
import { portCommand, USAGE } from "../base/edit.ts";
import type { Parts } from "../base/parts.ts";
import { VRRP_SETTINGS, VRRP_SYNTAX } from "./settings.ts";
import type { Vrrp, VrrpStatus } from "./vrrp.ts";

const NO_VRRP_USAGE = "no vrrp PORT ID";
const CENTISECOND_MS = 10;

export const vrrpCommand = portCommand(`vrrp ${VRRP_SYNTAX}`, (port, [id = "", ...words]) => {
  const { vrrp = [] } = port;
  const index = vrrp.findIndex((each) => String(each.id) === id);
  const before = index === -1 ? { id: Number(id) } : vrrp[index]!;
  const changed = isNumber(id) ? edited(VRRP_SETTINGS, before, words) : undefined;
  if (changed === undefined) return USAGE;
  return { ...port, vrrp: index === -1 ? [...vrrp, changed] : vrrp.with(index, changed) };
});

export const noVrrpCommand = portCommand(
  NO_VRRP_USAGE,
  (port, [id = "", ...rest]): PortProperties | string => {
    const { vrrp = [], ...others } = port;
    const kept = vrrp.filter((each) => String(each.id) !== id);
    if (!isNumber(id) || rest.length > 0) return USAGE;
    if (kept.length === vrrp.length)
      return `${port.name} is not in virtual router ${id}: show vrrp lists them`;
    return kept.length === 0 ? others : { ...others, vrrp: kept };
  },
);

const isNumber = (text: string | undefined): boolean => text !== undefined && /^\d{1,9}$/.test(text);

export function showVrrp({ services }: Parts): readonly string[] {
  const vrrp = services.find<Vrrp>("vrrp");
  if (vrrp === undefined) return ["No virtual routers"];
  const headings = [
    "Interface",
    "ID",
    "Family",
    "State",
    "Priority",
    "Interval",
    "Master",
    "MAC",
    "Addresses",
  ];
  return formatTable(headings, vrrp.list().map(rowOf));
}

function rowOf({ port, spec, family, machine, role }: VrrpStatus): string[] {
  const addresses = (family === 4 ? spec.ipv4 : spec.ipv6) ?? [];
  return [
    port.name,
    String(spec.id),
    `IPv${family}`,
    machine.state,
    String(role.priority),
    `${spec.intervalCs * CENTISECOND_MS} ms`,
    machine.state === "master" ? "this router" : (machine.master ?? "-"),
    formatMac(virtualMac(spec.id, family === 6)),
    addresses.join(" "),
  ];
}

export const VRRP_COMMANDS: RouterCommands = [
  {
    head: "vrrp",
    syntax: VRRP_SYNTAX,
    meaning: "share the addresses with other routers as virtual router ID; track lowers its priority by N",
    run: vrrpCommand,
    checksWords: true,
    words: { ip: "IPv4 addresses of the virtual router", ipv6: "IPv6 addresses of the virtual router" },
  },
  {
    head: "no vrrp",
    syntax: "PORT ID",
    meaning: "leave the virtual router",
    run: noVrrpCommand,
    checksWords: true,
  },
  { head: "show vrrp", meaning: "virtual routers, and their masters", run: showVrrp },
];
