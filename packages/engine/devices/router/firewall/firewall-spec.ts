/** The part of a router's configuration that filters and translates; each key is absent if it says nothing. */

import type { NatSpec } from "../nat/nat-spec.ts";
import type { AclSpec } from "./acl-spec.ts";
import type { ConnectionLimits } from "./connection-limits.ts";

export interface FirewallSpec {
  readonly acls?: readonly AclSpec[];
  /** What differs from the defaults. */
  readonly connections?: Partial<ConnectionLimits>;
  readonly nat?: NatSpec;
}

export const FIREWALL_KEYS = [
  "acls",
  "connections",
  "nat",
] as const satisfies readonly (keyof FirewallSpec)[];

/** Returns only these keys of a configuration. The stored form is also that of `properties`. */
export const firewallOf = ({ acls, connections, nat }: FirewallSpec): FirewallSpec => ({
  ...(acls && { acls }),
  ...(connections && { connections }),
  ...(nat && { nat }),
});
