/** Why a path is not the best of its prefix, for displays. */
import { compare } from "./decision.ts";
import type { Bgp, Entry, Path } from "./state.ts";
import { isUsable, judgeOf } from "./table.ts";

/** @returns the step of the decision by which the best path beats another one, in FRR's words; undefined for the best one. */
export function whyNotBest(bgp: Bgp, { best }: Entry, path: Path): string | undefined {
  if (path === best) return undefined;
  if (!isUsable(bgp, path)) return "its next hop cannot be reached";
  return best && compare(best, path, judgeOf(bgp, best)).reason;
}
