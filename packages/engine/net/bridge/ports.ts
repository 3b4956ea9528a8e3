/** The ports of a switch: to which VLAN a frame that arrives belongs, and which VLANs a port carries. */
import type { FrameSlab } from "../../base/frame-slab.ts";
import { ETHERTYPE_VLAN } from "../../wire/ethernet.ts";
import { popTag, readTag, type Tag } from "../../wire/vlan-tag.ts";

export interface SwitchPort {
  readonly type: "access" | "dot1q" | "qinq";
  readonly vlan: number;
  /** The ethertype of the outer tag for frames from a qinq port; 0x8100 on other ports. */
  readonly etherType: number;
  /** False for a port without a link: addresses learned there are unreachable. */
  readonly isWired?: boolean;
}

/** A frame inside the switch: without the tag of its VLAN, unless it arrived on a qinq port. */
export interface Inside extends Tag {
  readonly untagged: Uint8Array;
  /** The tagged frame, made once for all ports that send it. */
  tagged: Uint8Array | undefined;
}

/** The ports as the rest of a switch sees them: the first port of a bundle has a link if one of the bundle has. */
export const withBundles = (
  ports: readonly SwitchPort[],
  bundles: readonly { readonly ports: readonly number[] }[] = [],
): readonly SwitchPort[] =>
  bundles.length === 0
    ? ports
    : ports.map((port, number) => {
        const bundle = bundles.find((each) => each.ports[0] === number);
        return bundle
          ? { ...port, isWired: bundle.ports.some((each) => ports[each]?.isWired !== false) }
          : port;
      });

/** Whether the port sends and receives frames of the VLAN. */
export const belongs = ({ type, vlan: own }: SwitchPort, vlan: number): boolean =>
  type === "dot1q" || own === vlan;

/** Returns whether addresses learned at a port in an earlier run are still valid: links and VLANs change between runs. */
export const carries = (port: SwitchPort | undefined, vlan: number): boolean =>
  port !== undefined && port.isWired !== false && belongs(port, vlan);

/** Returns the VLAN of a frame of at least 14 bytes; undefined if the port drops the frame. */
export function classify(port: SwitchPort, frame: Uint8Array, frames: FrameSlab): Inside | undefined {
  const tag = port.type === "qinq" ? undefined : readTag(frame);
  if (tag === undefined) {
    const etherType = port.type === "qinq" ? port.etherType : ETHERTYPE_VLAN;
    return { etherType, priority: 0, vlan: port.vlan, untagged: frame, tagged: undefined };
  }
  const { etherType, priority } = tag;
  // VLAN 0 carries a priority only; 4095 is reserved (IEEE 802.1Q, 9.6).
  const vlan = tag.vlan === 0 ? port.vlan : tag.vlan;
  if (vlan > 4094 || (port.type === "access" && vlan !== port.vlan)) return undefined;
  const untagged = popTag(frame, frames);
  return { etherType, priority, vlan, untagged, tagged: tag.vlan === 0 ? undefined : frame };
}
