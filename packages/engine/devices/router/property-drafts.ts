/** A router's port or interface after the check of each value's shape, before the rules between values. */
import type { DraftOf } from "../../settings/shape.ts";
import type { PortAcls } from "./firewall/acl-spec.ts";
import type { PHYSICAL, RouterPortSpec } from "./port-shape.ts";
import type { Prefix4, Prefix6 } from "./prefix.ts";

type Draft = DraftOf<typeof PHYSICAL>;

/** In a draft, null stands for an invalid value, undefined for an absent one. */
export interface PortDraft {
  readonly name: string | null;
  readonly ipv4: Prefix4 | null | undefined;
  readonly ipv6: Prefix6 | null | undefined;
  readonly mtuBytes: number | null;
  readonly dhcp: Draft["dhcp"];
  readonly vrrp?: Draft["vrrp"];
  readonly vrf?: Draft["vrf"];
  readonly acls?: PortAcls;
  readonly pbr?: Draft["pbr"];
  readonly switchport?: Draft["switchport"];
  /** What is stored, if no value is invalid. */
  readonly spec?: RouterPortSpec;
}
