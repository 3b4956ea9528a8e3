/**
 * The UPDATE message of BGP-4 as a router uses it (RFC 4271, section 4.3; RFC 4760).
 *
 *     length (2)   withdrawn prefixes   length (2)   path attributes   prefixes
 *
 * `bgp-read-update.ts` and `bgp-write-update.ts` have the codec.
 */
import type { BgpFamily, BgpNotification, FamilyCode, NextHop, Nlri } from "./bgp.ts";
import type { PathAttributes } from "./bgp-attributes.ts";

/** What both ends of a session agreed on, as far as it changes updates. */
export interface UpdateForm {
  /** AS numbers of 4 bytes (RFC 6793). */
  readonly hasAs4: boolean;
  /** External sessions have no LOCAL_PREF and no attributes of reflectors; internal ones require LOCAL_PREF. */
  readonly session: "internal" | "confederation" | "external";
  /** The families whose prefixes have path ids (RFC 7911). */
  readonly addPath: readonly BgpFamily[];
}

/** Prefixes of one family that an update announces. */
export interface Announcement {
  readonly family: BgpFamily;
  readonly nextHop: NextHop;
  readonly prefixes: readonly Nlri[];
}

export interface BgpUpdate {
  /** Of any family. */
  readonly withdrawn: readonly Nlri[];
  /** Of the IPv4 fields, and of MP_REACH_NLRI. */
  readonly announced: readonly Announcement[];
  /** Of all announced routes; null if there are none. */
  readonly attributes: PathAttributes | null;
  /** The update only marks the end of a family's routes (RFC 4724, section 2). */
  readonly endOf: BgpFamily | null;
}

/** A malformed attribute that does not end the session (RFC 7606). */
export interface AttributeFault {
  readonly action: "treat-as-withdraw" | "attribute-discard";
  readonly text: string;
  /** What a speaker without RFC 7606 would send. */
  readonly notification: BgpNotification;
}

/** `faults` are applied to the update: `withdrawn` has the routes that they withdraw. `ignored` are families that the codec does not read. */
export type UpdateResult =
  | {
      readonly update: BgpUpdate;
      readonly faults: readonly AttributeFault[];
      readonly ignored: readonly FamilyCode[];
    }
  | { readonly error: BgpNotification; readonly text: string };
