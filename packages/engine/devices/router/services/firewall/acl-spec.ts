/**
 * Access lists: named, ordered rules for the packets of one family. A rule is a line of text, the same in `properties`, at the console
 * and in the stored configuration:
 *
 *     [SEQ] permit|deny|reject PROTOCOL FROM [PORTS] TO [PORTS] [type N [code N]] [established] [state STATE[,STATE]] [log]
 *
 * The first rule that matches a packet decides; a packet that no rule matches is denied.
 */

export type AclFamily = "ipv4" | "ipv6";

export interface AclSpec {
  readonly name: string;
  readonly family: AclFamily;
  /** In the order of their numbers, as `formatRule` writes them. */
  readonly rules: readonly string[];
}

/** The lists of a port, by family and direction. */
export interface PortAcls {
  readonly acl_in?: string;
  readonly acl_out?: string;
  readonly acl6_in?: string;
  readonly acl6_out?: string;
}

export const PORT_ACL_KEYS = ["acl_in", "acl_out", "acl6_in", "acl6_out"] as const;
export type PortAclKey = (typeof PORT_ACL_KEYS)[number];

export const familyOfKey = (key: PortAclKey): AclFamily => (key.startsWith("acl6") ? "ipv6" : "ipv4");

export const FAMILY_NAMES: Readonly<Record<AclFamily, string>> = { ipv4: "IPv4", ipv6: "IPv6" };

declare module "../base/config.ts" {
  interface RouterPortSpec {
    /** Absent if the port has none. */
    readonly acls?: PortAcls;
  }
  interface PortProperties {
    acl_in?: string;
    acl_out?: string;
    acl6_in?: string;
    acl6_out?: string;
  }
}
