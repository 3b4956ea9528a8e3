import type { Nlri, MpNextHop, BgpFamily, BgpNotification } from "./bgp.ts";
import type { PathAttributes } from "./bgp-attributes.ts";

/** What both ends of a session agreed on, as far as it changes updates. */
export interface UpdateForm {
  /** AS numbers of 4 bytes (RFC 6793). */
  readonly hasAs4: boolean;
  /** Internal sessions and those within a confederation: LOCAL_PREF is sent. External ones discard it with the attributes of reflectors. */
  readonly isInternal: boolean;
  /** The families whose prefixes have path ids (RFC 7911). */
  readonly addPath: readonly BgpFamily[];
}

/** Routes of MP_REACH_NLRI. */
export interface Reach {
  readonly family: BgpFamily;
  readonly nextHop: MpNextHop;
  readonly prefixes: readonly Nlri[];
}

export interface Unreach {
  readonly family: BgpFamily;
  readonly prefixes: readonly Nlri[];
}

/** An update without prefixes and attributes is the end of IPv4 routes; one with an empty `unreach` the end of its family's (RFC 4724). */
export interface BgpUpdate {
  /** IPv4 prefixes in the fields of RFC 4271. */
  readonly withdrawn: readonly Nlri[];
  readonly announced: readonly Nlri[];
  /** Null if no route is announced. */
  readonly attributes: PathAttributes | null;
  readonly reach: Reach | null;
  readonly unreach: Unreach | null;
}

/** A malformed attribute that does not end the session (RFC 7606). */
export interface AttributeFault {
  readonly action: "treat-as-withdraw" | "attribute-discard";
  readonly text: string;
  /** What a speaker without RFC 7606 would send. */
  readonly notification: BgpNotification;
}

/** `faults` are applied to the update: withdrawn routes are in `withdrawn` and `unreach`, discarded attributes are left out. */
export type UpdateResult =
  | { readonly update: BgpUpdate; readonly faults: readonly AttributeFault[] }
  | { readonly error: BgpNotification; readonly text: string };
