/** What the segments of a router have learned between two runs. */
import type { SavedMac } from "../../switch/mac-table.ts";

/** By the interface's name. */
export type SavedVxlan = Readonly<Record<string, readonly SavedMac[]>>;
