/**
 * The guest has one network card. Its ports are VLANs of it (IEEE 802.1Q): frames of port n have the VLAN 100 + n on their way between the
 * guest and the device, and no tag outside.
 */
import { FIRST_VLAN } from "../image/wire.ts";

const TYPE_AT = 12;
const TAG_BYTES = 4;
/** 802.1Q, as the VLANs of the image are. */
const TPID = 0x8100;
const VLAN_MASK = 0x0fff;

const vlanOf = (port: number): number => FIRST_VLAN + port;

export function addTag(port: number, frame: Uint8Array): Uint8Array {
  const tagged = new Uint8Array(frame.length + TAG_BYTES);
  tagged.set(frame.subarray(0, TYPE_AT));
  tagged.set(frame.subarray(TYPE_AT), TYPE_AT + TAG_BYTES);
  new DataView(tagged.buffer).setUint32(TYPE_AT, TPID * 0x1_0000 + vlanOf(port));
  return tagged;
}

/** @returns undefined for a frame that the guest sends from its card, and not from a port. */
export function removeTag(
  frame: Uint8Array,
): { readonly port: number; readonly frame: Uint8Array } | undefined {
  if (frame.length < TYPE_AT + TAG_BYTES) return undefined;
  const view = new DataView(frame.buffer, frame.byteOffset);
  if (view.getUint16(TYPE_AT) !== TPID) return undefined;
  const port = (view.getUint16(TYPE_AT + 2) & VLAN_MASK) - FIRST_VLAN;
  if (port < 0) return undefined;
  const plain = new Uint8Array(frame.length - TAG_BYTES);
  plain.set(frame.subarray(0, TYPE_AT));
  plain.set(frame.subarray(TYPE_AT + TAG_BYTES), TYPE_AT);
  return { port, frame: plain };
}
