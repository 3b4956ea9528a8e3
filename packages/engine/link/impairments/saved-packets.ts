/** Packets that are on their way at the end of a run, as plain JSON data. */
import { fromHex, toHex } from "../../base/bytes.ts";
import { WirePacket } from "./wire-packet.ts";

export type Stage = "queue" | "slot" | "wire" | "filter";

/** Times are nanoseconds from the start of the run that saved them. */
export interface SavedPacket {
  readonly stage: Stage;
  readonly atNs: number;
  readonly enteredNs: number;
  readonly queuedNs: number;
  readonly holdNs: number;
  readonly redDraw: number;
  readonly wireLength: number;
  /** Hexadecimal. */
  readonly data: string;
}

export interface WaitingPacket {
  readonly packet: WirePacket;
  readonly stage: Stage;
  readonly atNs: number;
}

export const savePacket = ({ packet, stage, atNs }: WaitingPacket): SavedPacket => ({
  stage,
  atNs,
  enteredNs: packet.enteredNs,
  queuedNs: packet.queuedNs,
  holdNs: packet.holdNs,
  redDraw: packet.redDraw,
  wireLength: packet.wireLength,
  data: toHex(packet.data),
});

/** @param originNs the start of the run that saved it, in the time of this run. */
export function loadPacket(saved: SavedPacket, originNs: number): WaitingPacket {
  const packet = new WirePacket(fromHex(saved.data), saved.wireLength, saved.enteredNs + originNs, undefined);
  packet.queuedNs = saved.queuedNs + originNs;
  packet.holdNs = saved.holdNs;
  packet.redDraw = saved.redDraw;
  return { packet, stage: saved.stage, atNs: saved.atNs + originNs };
}
