/** The filtering part of a configuration as console commands. */
import { PORT_ACL_KEYS, type PortAcls } from "./acl-spec.ts";
import { CONNECTION_KEYS } from "./connection-limits.ts";
import type { FirewallSpec } from "./firewall-spec.ts";

export const firewallLines = ({ acls = [], connections = {} }: FirewallSpec): string[] => [
  ...acls.flatMap(({ name, family, rules }) =>
    rules.map((rule) => `${family === "ipv6" ? "ipv6 " : ""}access-list ${name} ${rule}`),
  ),
  ...CONNECTION_KEYS.flatMap((key) =>
    connections[key] === undefined ? [] : [`connections ${key} ${connections[key]}`],
  ),
];

export const portAclLines = (port: string, acls: PortAcls | undefined): string[] =>
  PORT_ACL_KEYS.flatMap((key) => {
    const name = acls?.[key];
    return name === undefined ? [] : [`access-group ${port} ${name} ${key.endsWith("in") ? "in" : "out"}`];
  });
