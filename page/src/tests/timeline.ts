/** What happens on each link of a lab over its timeline, for plots and for a time that a user chooses. Pure. */
import type { Deed, LabModel } from "@wirelab/lab/model/lab-model";
import { FrameLog, type LoggedFrame } from "@wirelab/lab/play/frame-log";
import { play } from "@wirelab/lab/play/play";
import type { ShownPacket } from "@wirelab/lab/report/report";
import { showPacket } from "@wirelab/lab/report/show-packet";
import { type RoundTrip, roundTrips } from "./round-trips.ts";

const BINS = 300;
const SHOWN_PACKETS = 12;

/** One link; an entry of a list for each bin of time. */
export interface TimelineLink {
  readonly name: string;
  readonly ends: readonly { readonly node: string; readonly port: number }[];
  /** That entered, in both directions. */
  readonly bytes: readonly number[];
  readonly lost: readonly number[];
  /** Packets that entered. */
  readonly entered: readonly number[];
  /** One for each end, as the sender. */
  readonly directions: readonly TimelineDirection[];
}

interface TimelineDirection {
  readonly from: string;
  readonly to: string;
  /** That arrived. */
  readonly bytes: readonly number[];
  /** The most packets at once that had entered, were not lost, and had not arrived. */
  readonly underWay: readonly number[];
}

export interface Timeline {
  readonly endNs: number;
  readonly binNs: number;
  readonly links: readonly TimelineLink[];
  readonly pings: readonly RoundTrip[];
  readonly events: readonly { readonly atNs: number; readonly words: string }[];
}

export interface Recording {
  readonly timeline: Timeline;
  /** In order of the time at which they entered a link. */
  readonly frames: readonly LoggedFrame[];
}

/** Plays the lab and keeps its frames. */
export function recordTimeline(model: LabModel): Recording {
  const log = new FrameLog();
  const { endNs } = play(model, { watchers: { timeline: log } });
  const binNs = Math.max(1, Math.ceil(endNs / BINS));
  const bins = (): number[] => new Array<number>(BINS + 1).fill(0);
  const links = model.links.map(({ name, ends }) => ({
    name,
    ends: ends.map(({ node, port }) => ({ node, port })),
    bytes: bins(),
    lost: bins(),
    entered: bins(),
    directions: ends.map(({ node, port }, index) => ({
      from: node,
      fromPort: port,
      to: ends[1 - index]?.node ?? "",
      bytes: bins(),
      underWay: bins(),
    })),
  }));
  const byName = new Map(links.map((link) => [link.name, link]));
  for (const { link, enteredNs, frame, droppedBy } of log.frames) {
    const counts = byName.get(link);
    if (counts === undefined) continue;
    const bin = Math.floor(enteredNs / binNs);
    counts.bytes[bin] = (counts.bytes[bin] ?? 0) + frame.length;
    counts.entered[bin] = (counts.entered[bin] ?? 0) + 1;
    if (droppedBy !== undefined) counts.lost[bin] = (counts.lost[bin] ?? 0) + 1;
  }
  const sent = Map.groupBy(log.frames, ({ link, from, fromPort }) => `${from} ${fromPort} ${link}`);
  for (const { name, directions } of links)
    for (const direction of directions)
      countDirection(direction, sent.get(`${direction.from} ${direction.fromPort} ${name}`) ?? [], binNs);
  const events = model.events.map(({ atNs, deeds }) => ({ atNs, words: deeds.map(wordsOf).join("; ") }));
  return { timeline: { endNs, binNs, links, events, pings: roundTrips(log.frames) }, frames: log.frames };
}

interface Direction extends TimelineDirection {
  readonly fromPort: number;
  readonly bytes: number[];
  readonly underWay: number[];
}

function countDirection({ bytes, underWay }: Direction, frames: readonly LoggedFrame[], binNs: number): void {
  const steps: { readonly atNs: number; readonly change: number }[] = [];
  for (const frame of frames) {
    if (frame.droppedBy !== undefined) continue;
    steps.push({ atNs: frame.enteredNs, change: 1 });
    if (frame.arrivedNs === undefined) continue;
    steps.push({ atNs: frame.arrivedNs, change: -1 });
    const bin = Math.floor(frame.arrivedNs / binNs);
    bytes[bin] = (bytes[bin] ?? 0) + frame.passed.length;
  }
  steps.sort((a, b) => a.atNs - b.atNs);
  let count = 0;
  let next = 0;
  for (let bin = 0; bin < underWay.length; bin += 1) {
    underWay[bin] = count;
    for (; next < steps.length && steps[next]!.atNs < (bin + 1) * binNs; next += 1) {
      count += steps[next]!.change;
      underWay[bin] = Math.max(underWay[bin]!, count);
    }
  }
}

/** The last packets that entered a link by a time. */
export function packetsAround({ frames }: Recording, atNs: number): ShownPacket[] {
  let low = 0;
  let high = frames.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (frames[middle]!.enteredNs <= atNs) low = middle + 1;
    else high = middle;
  }
  return frames.slice(Math.max(0, low - SHOWN_PACKETS), low).map(showPacket);
}

function wordsOf(deed: Deed): string {
  switch (deed.kind) {
    case "console":
      return `${deed.node}: ${deed.commands.join(", ")}`;
    case "link":
      return `${deed.link} ${deed.isDown ? "down" : "up"}`;
    case "filters":
      return `filters of ${deed.link}`;
    case "impairments":
      return `impairments of ${deed.link}`;
    case "power":
      return `${deed.action} ${deed.node}`;
    case "replay":
      return `${deed.file} from ${deed.from.node}`;
  }
}
