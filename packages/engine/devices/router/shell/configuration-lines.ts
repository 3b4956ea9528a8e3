/** A configuration as the commands that create it from an empty one; defaults are omitted. */

import { DEFAULT_MTU_BYTES } from "../../../net/address/mtus.ts";
import type { RouterConfig, RouterInterfaceSpec } from "../services/base/config.ts";
import { ospfPortLines } from "../services/ospf/port-settings.ts";
import { vrrpLine } from "../services/vrrp/settings.ts";
import { interfaceLine } from "./interfaces/commands.ts";
import { defaultMtuOf } from "./interfaces/spec.ts";
import { portLines } from "./port-shape.ts";
import { serviceLines } from "./service-settings.ts";

export const configurationLines = ({ ports, interfaces = [], ...others }: RouterConfig): string[] => [
  ...serviceLines(others, ["acls", "connections"]),
  ...ports.flatMap((port) => portLines(port, DEFAULT_MTU_BYTES)),
  ...membersFirst(interfaces).flatMap((each) => [
    interfaceLine(each),
    ...portLines(each, defaultMtuOf(each.type, each.type === "gre" && each.key !== undefined)),
  ]),
  ...[...ports, ...interfaces].flatMap(({ name, vrrp = [] }) => vrrp.map((each) => vrrpLine(name, each))),
  ...serviceLines(others, ["routes", "pbr_maps"]),
  ...[...ports, ...interfaces].flatMap(({ name, pbr }) =>
    pbr === undefined ? [] : [`pbr-policy ${name} ${pbr}`],
  ),
  ...[...ports, ...interfaces].flatMap(({ name, ospf }) =>
    ospf === undefined ? [] : ospfPortLines(name, ospf),
  ),
  ...serviceLines(others, [
    "nat",
    "rip",
    "ospf",
    "dns",
    "dhcp_relay",
    "dhcp_pools",
    "dhcpv6",
    "syslog",
    "flows",
  ]),
];

/** A subinterface must be there when an interface names it as its member. */
const membersFirst = (interfaces: readonly RouterInterfaceSpec[]): readonly RouterInterfaceSpec[] => [
  ...interfaces.filter(({ type }) => type !== "vxlan"),
  ...interfaces.filter(({ type }) => type === "vxlan"),
];
