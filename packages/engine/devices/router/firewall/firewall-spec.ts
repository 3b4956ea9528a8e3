/** The part of a router's configuration that filters and translates; each key is absent if it says nothing. */
import type { AclSpec } from "./acl-spec.ts";
import type { ConnectionLimits } from "./connection-limits.ts";

export interface FirewallSpec {
  readonly acls?: readonly AclSpec[];
  /** What differs from the defaults. */
  readonly connections?: Partial<ConnectionLimits>;
}

export const FIREWALL_KEYS = ["acls", "connections"] as const satisfies readonly (keyof FirewallSpec)[];

/** Returns only these keys of a configuration. The stored form is also that of `properties`. */
export const firewallOf = ({ acls, connections }: FirewallSpec): FirewallSpec => ({
  ...(acls && { acls }),
  ...(connections && { connections }),
});
