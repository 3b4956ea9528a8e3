/**
 * The tags of subinterfaces (IEEE 802.1Q): frames leave with them and are sorted by them. The outer tag of two has the type of
 * 802.1ad; the router accepts every type of a tag.
 */
import type { FrameSlab } from "../../base/frame-slab.ts";
import { ETHERTYPE_QINQ, ETHERTYPE_VLAN } from "../../wire/ethernet.ts";
import { pushTag, type Tag } from "../../wire/vlan-tag.ts";
import type { VlanSpec } from "./config.ts";

/** The place of a subinterface: a port, and the tags of its frames, the inner one first. */
export interface Trunk {
  readonly port: number;
  readonly tags: readonly Tag[];
}

/** By port and tags: the key of a subinterface. @param outer 0 for frames with one tag, and for those with one inside that of VLAN 0. */
export const tagKey = (port: number, outer: number, vlan: number): number =>
  (port * 4_096 + outer) * 4_096 + vlan;

export const makeTrunk = (port: number, { vlan, outerVlan }: VlanSpec): Trunk => ({
  port,
  tags: [
    { etherType: ETHERTYPE_VLAN, priority: 0, vlan },
    ...(outerVlan === undefined ? [] : [{ etherType: ETHERTYPE_QINQ, priority: 0, vlan: outerVlan }]),
  ],
});

export const trunkKey = ({ port, tags: [inner, outer] }: Trunk): number =>
  tagKey(port, outer?.vlan ?? 0, inner!.vlan);

export const addTags = (frame: Uint8Array, { tags }: Trunk, frames: FrameSlab): Uint8Array =>
  tags.reduce((tagged, tag) => pushTag(tagged, tag, frames), frame);

/**
 * The index of the port that a subinterface is named for: `Ethernet0.10` is one of `Ethernet0`. Undefined if there is none.
 * @param ports null stands for an invalid name.
 */
export function portOfSubinterface(
  name: string,
  ports: readonly { readonly name: string | null }[],
): number | undefined {
  const own = name.toLowerCase();
  let found: number | undefined;
  for (const [index, port] of ports.entries()) {
    if (port.name === null || !own.startsWith(`${port.name.toLowerCase()}.`)) continue;
    if (port.name.length > (found === undefined ? 0 : ports[found]!.name!.length)) found = index;
  }
  return found;
}
