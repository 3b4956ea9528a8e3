/** The commands of virtual routers. */

import { formatTable } from "../../../../base/text-table.ts";
import { formatMac } from "../../../../wire/mac.ts";
import { virtualMac } from "../../../../wire/vrrp.ts";
import type { RouterCommands } from "../base/command.ts";
import type { Parts } from "../base/parts.ts";
import { VRRP_CONFIGURE } from "./configure.ts";
import type { Vrrp, VrrpStatus } from "./vrrp.ts";

const CENTISECOND_MS = 10;

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
  ...VRRP_CONFIGURE,
  { head: "show vrrp", meaning: "virtual routers, and their masters", run: showVrrp },
];
