/**
 * A configuration in the form of FRR, as lines of configuration mode that create it from an empty one; defaults are omitted. Settings that
 * FRR does not have are lines of the router's own, in the same blocks.
 */

import { DEFAULT_MTU_BYTES } from "../../../net/address/mtus.ts";
import type { RouterConfig, RouterInterfaceSpec, RouterPortSpec } from "../services/base/config.ts";
import { ospfPortLines } from "../services/ospf/port-settings.ts";
import { vrrpLine } from "../services/vrrp/settings.ts";
import { LOOPBACK } from "./configure-modes.ts";
import { interfaceLine } from "./interfaces/commands.ts";
import { defaultMtuOf } from "./interfaces/spec.ts";
import { portLines } from "./port-shape.ts";
import { serviceLines } from "./service-settings.ts";

export const configurationLines = ({ ports, interfaces = [], ...others }: RouterConfig): string[] => [
  ...serviceLines(others, ["acls", "connections"]),
  ...ports.flatMap((port) => portBlock(port, DEFAULT_MTU_BYTES)),
  ...membersFirst(interfaces).flatMap(interfaceBlock),
  // What these lines name is there by now.
  ...[...ports, ...interfaces].flatMap(({ name, vrrp = [] }) => block(name, vrrp.map(vrrpLine))),
  ...serviceLines(others, ["routes", "pbr_maps"]),
  ...[...ports, ...interfaces].flatMap(({ name, pbr }) =>
    pbr === undefined ? [] : block(name, [`pbr-policy ${pbr}`]),
  ),
  ...serviceLines(others, [
    "nat",
    "rip",
    "ospf",
    "route_lists",
    "route_maps",
    "bgp",
    "bfd",
    "dns",
    "dhcp_relay",
    "dhcp_pools",
    "dhcpv6",
    "syslog",
    "flows",
  ]),
];

/** @param head of the block; without lines, there is no block. */
const block = (head: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`interface ${head}`, ...lines.map((line) => ` ${line}`), "exit"];

function portBlock(port: RouterPortSpec, defaultMtu: number): string[] {
  const { name, vrf, ospf } = port;
  const lines = [...portLines(port, defaultMtu), ...(ospf ? ospfPortLines(ospf) : [])];
  if (vrf === undefined) return block(name, lines);
  return lines.length > 0 ? block(`${name} vrf ${vrf}`, lines) : [`interface ${name} vrf ${vrf}`, "exit"];
}

function interfaceBlock(each: RouterInterfaceSpec): string[] {
  const lines = portBlock(each, defaultMtuOf(each.type, each.type === "gre" && each.key !== undefined));
  if (each.type !== "loopback" || each.name !== LOOPBACK) return [interfaceLine(each), ...lines];
  return lines.length > 0 ? lines : [`interface ${LOOPBACK}`, "exit"];
}

/** A subinterface must be there when an interface names it as its member. */
const membersFirst = (interfaces: readonly RouterInterfaceSpec[]): readonly RouterInterfaceSpec[] => [
  ...interfaces.filter(({ type }) => type !== "vxlan"),
  ...interfaces.filter(({ type }) => type === "vxlan"),
];
