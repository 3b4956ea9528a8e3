/** A run of a lab as a pcapng: an interface for each link, with the frames as they were sent, before the link's filters. */
import { NS_PER_SECOND, NS_PER_US } from "@wirelab/engine/base/time";
import {
  encodeInterface,
  encodeSectionHeader,
  LINKTYPE_ETHERNET,
  PacketBlockEncoder,
} from "@wirelab/engine/pcap/index";
import type { Expectation, Probe } from "../model/expectation.ts";
import type { LabModel } from "../model/lab-model.ts";
import { FrameLog, type LoggedFrame } from "../play/frame-log.ts";
import { type Played, play } from "../play/play.ts";
import { type PingOptions, ping } from "../play/probe.ts";

/** A storm has more frames than a reader looks at; the last ones are kept. */
const MAX_FRAMES = 200_000;

export interface CaptureOptions {
  /** Instead of the model's. */
  readonly seed?: string | undefined;
  /** The timeline up to the moment of this expectation, then its first probe that does not do what is expected. */
  readonly expectation?: Expectation | undefined;
  /** For the frames alone, without the headers of the file; the last frames are kept. */
  readonly maxBytes?: number;
  /** Polled now and then; true ends the runs, and the capture with them. */
  readonly isOutOfTime?: () => boolean;
}

/** Plays the lab again, with a log of all frames. */
export function captureLab(
  model: LabModel,
  { seed, expectation, maxBytes = Number.POSITIVE_INFINITY, isOutOfTime }: CaptureOptions = {},
): Uint8Array {
  const boot = new FrameLog();
  const timeline = new FrameLog();
  const atNs = expectation?.atNs;
  const played = play(model, {
    ...(seed !== undefined && { seed }),
    probed: expectation ? [atNs] : [],
    watchers: { boot, timeline },
    isOutOfTime,
  });
  const probe = expectation && probeLog(played, expectation);
  const momentNs = atNs ?? played.endNs;
  const frames: Timed[] = [
    ...timed(boot, model.startUs),
    ...timed(timeline, played.timelineUs).filter(({ ns }) => probe === undefined || ns <= momentNs),
    ...(probe ? timed(probe, played.timelineUs) : []),
  ];
  return encodeFrames(model, frames, maxBytes);
}

/** Returns the capture of a lab that was played with logs. */
export const captureOf = ({ model, timelineUs }: Played, boot: FrameLog, timeline: FrameLog): Uint8Array =>
  encodeFrames(
    model,
    [...timed(boot, model.startUs), ...timed(timeline, timelineUs)],
    Number.POSITIVE_INFINITY,
  );

const encodeFrames = (model: LabModel, frames: readonly Timed[], maxBytes: number): Uint8Array =>
  encode(model, lastOf(frames.slice(-MAX_FRAMES), maxBytes));

function lastOf(frames: readonly Timed[], maxBytes: number): readonly Timed[] {
  let bytes = 0;
  let from = frames.length;
  while (from > 0) {
    bytes += frames[from - 1]!.logged.frame.length;
    if (bytes > maxBytes) break;
    from -= 1;
  }
  return frames.slice(from);
}

interface Timed {
  /** The lab's clock: microseconds since 1970, and nanoseconds since then. */
  readonly us: number;
  readonly ns: number;
  readonly logged: LoggedFrame;
}

const timed = ({ frames }: FrameLog, us: number): Timed[] =>
  frames.map((logged) => ({ us, ns: logged.enteredNs, logged }));

/** @returns undefined for an expectation that sends no probe. */
function probeLog(played: Played, { claim, atNs, withinNs, isNegated }: Expectation): FrameLog | undefined {
  switch (claim.kind) {
    case "reach": {
      const options = { atNs, ...(withinNs === undefined ? { tries: claim.tries } : { untilNs: withinNs }) };
      const isWrong = (probe: Probe) => ping(played, probe, options).replies.length > 0 === isNegated;
      return logOf(played, claim.probes.find(isWrong) ?? claim.probes[0]!, options);
    }
    case "ping": {
      const { count, intervalMs, sizeBytes } = claim;
      return logOf(played, claim.probe, { atNs, count, intervalMs, sizeBytes });
    }
    case "path":
      return logOf(played, claim.probe, { atNs, tries: 1 });
    default:
      return undefined;
  }
}

function logOf(played: Played, probe: Probe, options: PingOptions): FrameLog {
  const log = new FrameLog();
  ping(played, probe, { ...options, observer: log });
  return log;
}

function encode({ links }: LabModel, frames: readonly Timed[]): Uint8Array {
  const interfaces = links.map(({ name, ends: [a, b] }) =>
    encodeInterface({
      linkType: LINKTYPE_ETHERNET,
      snaplen: 0,
      name,
      description: `${a.node} -- ${b.node}, before the link's filters`,
      resolution: "nanosecond",
    }),
  );
  const numbers = new Map(links.map(({ name }, index) => [name, index]));
  const encoder = new PacketBlockEncoder(links.map(() => "nanosecond"));
  const US_PER_SECOND = NS_PER_SECOND / NS_PER_US;
  for (const { us, ns, logged } of frames) {
    const belowSecondNs = (us % US_PER_SECOND) * NS_PER_US + (ns % NS_PER_SECOND);
    const seconds = Math.floor(us / US_PER_SECOND) + Math.floor(ns / NS_PER_SECOND);
    encoder.write(
      numbers.get(logged.link)!,
      seconds + Math.floor(belowSecondNs / NS_PER_SECOND),
      belowSecondNs % NS_PER_SECOND,
      logged.frame,
      logged.frame.length,
    );
  }
  return concat([encodeSectionHeader("Wirelab"), ...interfaces, encoder.take()]);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
