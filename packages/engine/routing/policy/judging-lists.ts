/** What clauses ask of lists. */
import type { Prefix4, Prefix6 } from "../../net/address/prefix.ts";
import type { LargeCommunity, PathSegment } from "./route.ts";

/** @returns whether a list permits; false if there is no such list. */
export interface JudgingLists {
  prefix(family: 4 | 6, list: string, prefix: Prefix4 | Prefix6): boolean;
  hasPrefixList(family: 4 | 6, list: string): boolean;
  path(list: string, path: readonly PathSegment[]): boolean;
  communities(list: string, communities: readonly number[], isExact?: boolean): boolean;
  large(list: string, communities: readonly LargeCommunity[], isExact?: boolean): boolean;
}
