/** Sorts the frames that a port receives by their tags. */
import type { FrameSlab } from "../../base/frame-slab.ts";
import { popTag, readTag } from "../../wire/vlan-tag.ts";
import type { RouterPort, Tables } from "./tables.ts";
import { tagKey } from "./tags.ts";

export interface Sorted {
  readonly port: RouterPort;
  readonly frame: Uint8Array;
}

/**
 * Finds the interface that a port's frame is for, and removes the frame's tags. Undefined if no interface has the tags.
 * A tag with VLAN 0 has a priority only (IEEE 802.1Q, 9.6): the router reads the frame as if the tag were absent.
 */
export function sortByTag(
  { ports, trunks }: Tables,
  index: number,
  frame: Uint8Array,
  frames: FrameSlab,
): Sorted | undefined {
  const outer = readTag(frame);
  if (outer === undefined) return { port: ports[index]!, frame };
  const inside = popTag(frame, frames);
  const inner = readTag(inside);
  if (inner === undefined) {
    const port = outer.vlan === 0 ? ports[index] : trunks.get(tagKey(index, 0, outer.vlan));
    return port && { port, frame: inside };
  }
  const port = trunks.get(tagKey(index, outer.vlan, inner.vlan));
  return port && { port, frame: popTag(inside, frames) };
}
