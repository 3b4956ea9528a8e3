/** A router's port or interface after the check of each value's shape, before the rules between values. */
import type { PlaneDraft } from "../../../../net/plane/places.ts";
import type { RouterPortSpec } from "./config.ts";

type Draft = {
  readonly [K in "dhcp" | "vrrp" | "pbr" | "switchport"]?: RouterPortSpec[K] | null | undefined;
};

/** In a draft, null stands for an invalid value, undefined for an absent one. */
export interface PortDraft extends PlaneDraft, Draft {
  readonly acls?: RouterPortSpec["acls"];
  /** What is stored, if no value is invalid. */
  readonly spec?: RouterPortSpec;
}
