/** The attributes of an IPv4 route with its next hop. Interned ones are equal if they are the same object. */
import { COMMUNITY, LOCAL_ATTRIBUTES, ORIGIN, type PathAttributes } from "../../wire/bgp-attributes.ts";

export interface RouteAttributes extends PathAttributes {
  /** 0: the router itself. */
  readonly nextHop: number;
}

/** Of a route that the router originates. */
export const OWN_ATTRIBUTES: RouteAttributes = { ...LOCAL_ATTRIBUTES, nextHop: 0 };

/** The letters of FRR. */
export const ORIGIN_LETTERS: readonly string[] = ["i", "e", "?"];
export const ORIGIN_WORDS: readonly string[] = ["IGP", "EGP", "incomplete"];

export const INCOMPLETE = ORIGIN.incomplete;

/** RFC 1997: whether communities keep a route from a neighbour. */
export function isKeptBack({ communities }: RouteAttributes, isInternal: boolean): boolean {
  if (communities.includes(COMMUNITY.noAdvertise)) return true;
  if (isInternal) return false;
  return communities.includes(COMMUNITY.noExport) || communities.includes(COMMUNITY.localAs);
}
