/** Sends packets through this engine's impairments. */
import { parseImpairments, WirePacket, WireRun } from "@wirelab/engine/link/impairments/index";
import type { Seen } from "./measure.ts";

/**
 * @param direction the impairments of one direction, as a client sends them.
 * @returns the packets that arrive, in order of time.
 */
export function simulate(direction: object, sentNs: readonly number[], bytes: number): Seen[] {
  const parsed = parseImpairments({ a_to_b: direction });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const arrived: Seen[] = [];
  const run = new WireRun({
    impairments: parsed.impairments,
    seed: "netem",
    streamName: "near far",
    direction: "a-to-b",
    startUs: 0,
    nowNs: 0,
    deliver: (packet, atNs) => arrived.push({ number: packet.tag as number, atNs }),
  });
  const data = new Uint8Array(bytes);
  for (const [number, atNs] of sentNs.entries()) run.enter(new WirePacket(data, bytes, atNs, number), atNs);
  run.runUntil(Number.POSITIVE_INFINITY);
  return arrived;
}

/** Packets in even time. */
export const evenly = (packets: number, intervalNs: number): number[] =>
  Array.from({ length: packets }, (_, index) => index * intervalNs);
