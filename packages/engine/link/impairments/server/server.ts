/** When the packets of a queue leave: one packet at a time, in whole nanoseconds. */
import type { Rate } from "../settings/direction-settings.ts";

/** A position in a trace. */
export interface TraceState {
  /** Opportunities since the trace began, and the bytes left of the current one. */
  readonly index: number;
  readonly left: number;
  /** When the trace began. */
  readonly beganNs: number;
}

export interface Server {
  /** The earliest time at which the next packet may be taken from the queue. */
  readonly readyNs: number;
  /** Sends a packet that is taken at `nowNs`, at `readyNs` or later; returns when its last bit leaves. */
  send(bytes: number, nowNs: number): number;
  /** Times are relative to `originNs`. Plain JSON data. */
  saveState(originNs: number): ServerState;
}

export interface ServerState {
  readonly kind: "rate" | "burst" | "trace";
  readonly readyNs: number;
  /** The fraction of a nanosecond by which `readyNs` or `fullNs` is too early: this number divided by `rate`. */
  readonly remainder?: number;
  readonly rate?: number;
  readonly fullNs?: number;
  readonly trace?: TraceState;
}

/** Returns the bytes that a packet takes on the wire. */
export function bytesOnWire(
  length: number,
  { overhead, cell_size: cell, cell_overhead: header }: Rate,
): number {
  const bytes = Math.max(1, length + overhead);
  return cell === 0 ? bytes : Math.ceil(bytes / cell) * (cell + header);
}
