/** What the services of a router keep between runs. Services without anything to keep are absent. */
import type { SavedDns } from "./dns/cache.ts";
import type { SavedRip } from "./rip/saved.ts";

export interface SavedServices {
  readonly dns?: SavedDns;
  readonly rip?: SavedRip;
  /** What routes track and does not answer. */
  readonly track?: readonly string[];
}
