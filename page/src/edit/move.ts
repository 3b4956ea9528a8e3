/** Moves nodes. */
import type { Lab } from "../lab/lab.ts";
import { changeParts, fieldEdits } from "./change.ts";

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** @param places the new upper left corners, by node id. */
export async function moveNodes(lab: Lab, places: ReadonlyMap<string, Place>): Promise<void> {
  const name = places.size === 1 ? "move a device" : `move ${places.size} devices`;
  await changeParts(lab, fieldEdits("node", places), name);
}
