/** `vrrp ...` configures a virtual router of an interface. */
import { edited } from "../../../../settings/words.ts";
import type { PortProperties } from "../base/config.ts";
import type { ConfigureCommands } from "../base/configuring.ts";
import { portCommand, USAGE } from "../base/edit.ts";
import { VRRP_SETTINGS, VRRP_SYNTAX } from "./settings.ts";

const NO_VRRP_USAGE = "no vrrp PORT ID";

const vrrpCommand = portCommand(`vrrp ${VRRP_SYNTAX}`, (port, [id = "", ...words]) => {
  const { vrrp = [] } = port;
  const index = vrrp.findIndex((each) => String(each.id) === id);
  const before = index === -1 ? { id: Number(id) } : vrrp[index]!;
  const changed = isNumber(id) ? edited(VRRP_SETTINGS, before, words) : undefined;
  if (changed === undefined) return USAGE;
  return { ...port, vrrp: index === -1 ? [...vrrp, changed] : vrrp.with(index, changed) };
});

const noVrrpCommand = portCommand(NO_VRRP_USAGE, (port, [id = "", ...rest]): PortProperties | string => {
  const { vrrp = [], ...others } = port;
  const kept = vrrp.filter((each) => String(each.id) !== id);
  if (!isNumber(id) || rest.length > 0) return USAGE;
  if (kept.length === vrrp.length) return `${port.name} is not in virtual router ${id}: show vrrp lists them`;
  return kept.length === 0 ? others : { ...others, vrrp: kept };
});

const isNumber = (text: string | undefined): boolean => text !== undefined && /^\d{1,9}$/.test(text);

export const VRRP_CONFIGURE: ConfigureCommands = [
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
];
