/** A router's `properties` after the check of each value's shape, before the rules between values. */
import type { PoolSpec } from "./dhcp-pool-shape.ts";
import type { PortAcls } from "./firewall/acl-spec.ts";
import type { Prefix4, Prefix6 } from "./prefix.ts";
import type { SwitchportSpec } from "./switching/switchport.ts";
import type { VrrpSpec } from "./vrrp/settings.ts";

/** In a draft, null stands for an invalid value, undefined for an absent one. */
export interface PortDraft {
  readonly name: string | null;
  readonly ipv4: Prefix4 | null | undefined;
  readonly ipv6: Prefix6 | null | undefined;
  readonly mtuBytes: number | null;
  readonly dhcp: PoolSpec | null | undefined;
  readonly ra: boolean | null;
  readonly shutdown: boolean | null;
  readonly vrrp?: readonly VrrpSpec[] | null | undefined;
  readonly vrf?: string | null | undefined;
  readonly acls?: PortAcls | undefined;
  readonly pbr?: string | null | undefined;
  readonly switchport?: SwitchportSpec | null | undefined;
}
