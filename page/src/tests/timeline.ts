/** What happens on each link of a lab over its timeline, for plots and for a time that a user chooses. Pure. */
import type { Deed, LabModel } from "@wirelab/lab/model/lab-model";
import { FrameLog, type LoggedFrame } from "@wirelab/lab/play/frame-log";
import { play } from "@wirelab/lab/play/play";
import type { ShownPacket } from "@wirelab/lab/report/report";
import { showPacket } from "@wirelab/lab/report/show-packet";

const BINS = 300;
const SHOWN_PACKETS = 12;

/** One link; an entry of a list for each bin of time. */
export interface TimelineLink {
  readonly name: string;
  readonly ends: readonly { readonly node: string; readonly port: number }[];
  /** That entered, in both directions. */
  readonly bytes: readonly number[];
  readonly lost: readonly number[];
}

export interface Timeline {
  readonly endNs: number;
  readonly binNs: number;
  readonly links: readonly TimelineLink[];
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
  }));
  const byName = new Map(links.map((link) => [link.name, link]));
  for (const { link, enteredNs, frame, droppedBy } of log.frames) {
    const counts = byName.get(link);
    if (counts === undefined) continue;
    const bin = Math.floor(enteredNs / binNs);
    counts.bytes[bin] = (counts.bytes[bin] ?? 0) + frame.length;
    if (droppedBy !== undefined) counts.lost[bin] = (counts.lost[bin] ?? 0) + 1;
  }
  const events = model.events.map(({ atNs, deeds }) => ({ atNs, words: deeds.map(wordsOf).join("; ") }));
  return { timeline: { endNs, binNs, links, events }, frames: log.frames };
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
  return frames.slice(Math.max(0, low - SHOWN_PACKETS), low).map((frame) => showPacket(frame, 0));
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
