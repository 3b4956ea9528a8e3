/** Sends packets through the impairments of one direction. */
import {
  type ImpairedState,
  type ImpairmentReport,
  type ImpairmentType,
  parseImpairments,
  WirePacket,
  WireRun,
} from "@wirelab/engine/link/impairments/index";

export interface Sent {
  readonly atNs: number;
  readonly bytes?: number;
  readonly data?: Uint8Array;
}

interface Arrived {
  /** The number of the packet, from 1. */
  readonly number: number;
  readonly atNs: number;
  readonly data: Uint8Array;
}

export interface Outcome {
  readonly arrived: readonly Arrived[];
  readonly lost: readonly { readonly number: number; readonly reason: ImpairmentType }[];
  readonly report: ImpairmentReport;
  readonly state: ImpairedState;
}

export interface SendOptions {
  readonly seed?: string;
  readonly state?: ImpairedState;
  readonly startUs?: number;
  readonly sinceUs?: number;
  /** Ends the run here; without it, when nothing is left to happen. */
  readonly untilNs?: number;
}

/** Parses impairments of the direction a to b and fails on problems. */
export function compiled(direction: object, link: object = {}) {
  const result = parseImpairments({ a_to_b: direction, ...link });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.impairments;
}

export function sendThrough(
  direction: object,
  packets: readonly Sent[],
  options: SendOptions = {},
  link: object = {},
): Outcome {
  const arrived: Arrived[] = [];
  const lost: { number: number; reason: ImpairmentType }[] = [];
  const { seed = "1", state, startUs = 0, sinceUs, untilNs } = options;
  const run = new WireRun({
    impairments: compiled(direction, link),
    seed,
    streamName: "a/0 b/0",
    direction: "a-to-b",
    startUs,
    sinceUs,
    nowNs: 0,
    state,
    deliver: (packet, atNs) => arrived.push({ number: packet.tag as number, atNs, data: packet.data }),
    lose: (packet, reason) => lost.push({ number: packet.tag as number, reason }),
  });
  for (const [index, { atNs, bytes = 100, data = new Uint8Array(bytes) }] of packets.entries()) {
    const reason = run.enter(new WirePacket(data, data.length, atNs, index + 1), atNs);
    if (reason !== undefined) lost.push({ number: index + 1, reason });
  }
  let nowNs = untilNs ?? packets.at(-1)?.atNs ?? 0;
  if (untilNs === undefined) {
    while (run.nextNs < Number.POSITIVE_INFINITY) {
      nowNs = run.nextNs;
      run.runUntil(nowNs);
    }
  } else run.end(untilNs);
  return { arrived, lost, report: run.direction.report(), state: run.direction.saveState(nowNs) };
}

/** Packets of one size at even intervals, from 0. */
export const stream = (count: number, intervalNs: number, bytes = 100): Sent[] =>
  Array.from({ length: count }, (_, index) => ({ atNs: index * intervalNs, bytes }));
