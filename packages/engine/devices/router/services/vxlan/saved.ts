/** What the segments of a router have learned between two runs. */
import type { SavedMac } from "../../../../net/bridge/mac-table.ts";

/** By the interface's name. */
export type SavedVxlan = Readonly<Record<string, readonly SavedMac[]>>;

declare module "../base/service.ts" {
  interface SavedServices {
    /** What segments of VXLAN have learned. */
    readonly vxlan?: SavedVxlan;
  }
}
