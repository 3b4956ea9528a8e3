/** A configuration as the commands that create it from an empty one; defaults are omitted. */
import {
  DEFAULT_MTU_BYTES,
  type RouterConfig,
  type RouterInterfaceSpec,
  type RouterPortSpec,
} from "./config.ts";
import { pool } from "./dhcp-pool-shape.ts";
import { portAclLines } from "./firewall/lines.ts";
import { interfaceLine } from "./interfaces/commands.ts";
import { defaultMtuOf } from "./interfaces/spec.ts";
import { serviceLines } from "./service-settings.ts";
import { switchportLine } from "./switching/switchport.ts";
import { vrrpLine } from "./vrrp/settings.ts";

export const configurationLines = ({ ports, interfaces = [], ...others }: RouterConfig): string[] => [
  ...serviceLines(others, ["acls", "connections"]),
  ...ports.flatMap((port) => linesOfPort(port, DEFAULT_MTU_BYTES)),
  ...membersFirst(interfaces).flatMap((each) => [
    interfaceLine(each),
    ...linesOfPort(each, defaultMtuOf(each.type, each.type === "gre" && each.key !== undefined)),
  ]),
  ...[...ports, ...interfaces].flatMap(({ name, vrrp = [] }) => vrrp.map((each) => vrrpLine(name, each))),
  ...serviceLines(others, ["routes", "pbr_maps"]),
  ...[...ports, ...interfaces].flatMap(({ name, pbr }) =>
    pbr === undefined ? [] : [`pbr-policy ${name} ${pbr}`],
  ),
  ...serviceLines(others, ["nat", "rip", "dns", "dhcp_relay", "dhcp_pools", "dhcpv6", "syslog", "flows"]),
];

/** A subinterface must be there when an interface names it as its member. */
const membersFirst = (interfaces: readonly RouterInterfaceSpec[]): readonly RouterInterfaceSpec[] => [
  ...interfaces.filter(({ type }) => type !== "vxlan"),
  ...interfaces.filter(({ type }) => type === "vxlan"),
];

function linesOfPort(
  { name, ipv4, ipv6, mtuBytes, dhcp, ra, vrf, shutdown, acls, switchport }: RouterPortSpec,
  defaultMtu: number,
): string[] {
  const lines: string[] = [];
  if (switchport !== undefined) lines.push(switchportLine(name, switchport));
  if (vrf !== undefined) lines.push(`vrf ${name} ${vrf}`);
  if (mtuBytes !== defaultMtu) lines.push(`mtu ${name} ${mtuBytes}`);
  if (ipv4 !== undefined) lines.push(`ip ${name} ${ipv4}`);
  if (ipv6 !== undefined) lines.push(`ip ${name} ${ipv6}`);
  if (!ra) lines.push(`ra ${name} off`);
  if (dhcp !== undefined) lines.push(`dhcp ${name} ${pool.words(dhcp)}`);
  lines.push(...portAclLines(name, acls));
  if (shutdown) lines.push(`shutdown ${name}`);
  return lines;
}
