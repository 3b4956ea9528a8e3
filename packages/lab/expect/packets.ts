/** `seen`, `never` and `count`: packets on links that match a pcap-filter expression. */
import { NS_PER_SECOND } from "@wirelab/engine/base/time";
import type { LinkLine } from "@wirelab/engine/simulation/link-line";
import { holds } from "../model/comparison.ts";
import type { PacketSelection } from "../model/expectation.ts";
import { formatDuration } from "../model/quantity.ts";
import type { Evidence, ShownPacket } from "../report/report.ts";
import { summarize } from "../report/show-packet.ts";
import { type Check, type MakeCheck, passes } from "./check.ts";

const SHOWN_PACKETS = 10;

interface Sighting {
  readonly atNs: number;
  readonly line: LinkLine;
  readonly frame: Uint8Array;
}

/** Counts the packets of a selection; keeps the last that match, and the last that do not. */
class Sightings {
  readonly #selection: PacketSelection;
  readonly #matching: Sighting[] = [];
  readonly #others: Sighting[] = [];
  count = 0;
  firstNs: number | undefined;

  constructor(selection: PacketSelection) {
    this.#selection = selection;
  }

  see(line: LinkLine, atNs: number, frame: Uint8Array): void {
    const { link, from, fromNs, untilNs, predicate } = this.#selection;
    if (atNs < fromNs || atNs > untilNs || (link !== undefined && link !== line.link.id)) return;
    if (from !== undefined && line.peer?.nodeId === from) return;
    if (!predicate(frame, frame.length)) {
      keep(this.#others, { atNs, line, frame });
      return;
    }
    this.count += 1;
    this.firstNs ??= atNs;
    keep(this.#matching, { atNs, line, frame });
  }

  get evidence(): Evidence {
    const shown = this.#matching.length > 0 ? this.#matching : this.#others;
    return { packets: shown.map(show), death: undefined };
  }
}

function keep(list: Sighting[], sighting: Sighting): void {
  list.push(sighting);
  if (list.length > SHOWN_PACKETS) list.shift();
}

const show = ({ atNs, line, frame }: Sighting): ShownPacket => ({
  at: atNs / NS_PER_SECOND,
  link: line.link.id,
  from: line.link.ends.find((end) => end !== line.peer)!.nodeId,
  to: line.peer?.nodeId ?? "",
  summary: summarize(frame),
  fate: "",
});

function watch(
  packets: PacketSelection,
  judge: (sightings: Sightings) => Omit<ReturnType<Check["judge"]>, "evidence">,
): Check {
  const sightings = new Sightings(packets);
  return {
    observer:
      packets.tap === "before"
        ? { entered: ({ line, atNs, frame }) => sightings.see(line, atNs, frame) }
        : { arrived: ({ line, atNs, frame }) => sightings.see(line, atNs, frame) },
    judge({ timeline }) {
      const outcome = judge(sightings);
      const limit = timeline.stopped?.limit;
      if (limit !== undefined && packets.untilNs > timeline.nowNs && outcome.status === "failed") {
        return {
          ...outcome,
          status: "undecided",
          got: `${outcome.got}; the run reached its limit of ${limit}`,
        };
      }
      return { ...outcome, evidence: sightings.evidence };
    },
  };
}

const where = ({ link, from, fromNs, untilNs }: PacketSelection): string => {
  const place = link === undefined ? "" : ` on ${link}${from === undefined ? "" : ` from ${from}`}`;
  const since = fromNs > 0 ? ` from ${formatDuration(fromNs)}` : "";
  const until = untilNs < Number.POSITIVE_INFINITY ? ` until ${formatDuration(untilNs)}` : "";
  return `${place}${since}${until}`;
};

const packetsText = (count: number): string => (count === 1 ? "1 packet" : `${count} packets`);

export const seen: MakeCheck<"seen"> = ({ packets }) =>
  watch(packets, ({ count, firstNs }) => ({
    status: passes(count > 0),
    expected: `a packet that matches ${JSON.stringify(packets.expression)}${where(packets)}`,
    got: count === 0 ? "none" : `${packetsText(count)}, the first at ${formatDuration(firstNs!)}`,
  }));

export const count: MakeCheck<"count"> = ({ packets, is }) =>
  watch(packets, (sightings) => ({
    status: passes(holds(is, sightings.count)),
    expected: `${is.text} packets that match ${JSON.stringify(packets.expression)}${where(packets)}`,
    got: packetsText(sightings.count),
  }));
