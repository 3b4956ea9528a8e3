/**
 * Sends a captured packet through a copy of its lab, and says what the engine records about its end. Pure; a worker calls it.
 *
 * The packet is sent twice. The first one makes switches and neighbours known, as they were when the packet was captured, over links that
 * lose nothing. The links have their filters and impairments when the second one is sent.
 */
import type { Deed, LabModel, LinkEnd, LinkModel } from "@wirelab/lab/model/lab-model";
import { followPacket } from "@wirelab/lab/play/follow";
import { FrameLog, type LoggedFrame } from "@wirelab/lab/play/frame-log";
import { identityOf } from "@wirelab/lab/play/packet-identity";
import { play } from "@wirelab/lab/play/play";
import { dropWords } from "@wirelab/lab/report/show-packet";

export interface Replayed {
  /** The ends of the links that took the packet, in order. */
  readonly links: readonly (readonly LinkEnd[])[];
  /** Why it went no further, in the words of the engine; undefined if its last node took it. */
  readonly end: ReplayEnd | undefined;
}

export interface ReplayEnd {
  readonly at: "node" | "link";
  readonly words: string;
}

const NS = 1e9;
const FIRST_NS = NS;
/** After the attempts to find neighbours for the first one. */
const LINKS_NS = 8 * NS;
const SECOND_NS = 12 * NS;
const END_NS = 24 * NS;

/** @param from the port that sent the frame. */
export function replayPacket(model: LabModel, from: LinkEnd, frame: Uint8Array): Replayed {
  const send = (atNs: number) => ({
    ...{ atNs, name: `packet at ${atNs}`, place: undefined },
    deeds: [{ kind: "replay" as const, from, file: "packet", frames: [{ offsetNs: 0, data: frame }] }],
  });
  const restore = { atNs: LINKS_NS, name: "links", deeds: model.links.flatMap(deedsOf), place: undefined };
  const events = [send(FIRST_NS), restore, send(SECOND_NS)];
  const log = new FrameLog();
  play(
    { ...model, links: model.links.map(lossless), events, expectations: [], durationNs: END_NS },
    { watchers: { timeline: log } },
  );
  const identity = identityOf(frame);
  const first = log.frames.find(
    (each) =>
      each.enteredNs >= SECOND_NS &&
      each.from === from.node &&
      each.fromPort === from.port &&
      identityOf(each.frame) === identity,
  );
  if (first === undefined) return { links: [], end: undefined };
  const way = followPacket(log, first, "");
  const last = way.at(-1)!;
  return {
    links: way.map((hop) => [
      { node: hop.from, port: hop.fromPort },
      { node: hop.to, port: hop.toPort },
    ]),
    end: endOf(last, log),
  };
}

/** A link that is cut stays so: with it, a lab might have a loop. */
const isCut = ({ impairments }: LinkModel): boolean => impairments?.settings.carrier === "down";

const lossless = (link: LinkModel): LinkModel => ({
  ...link,
  filters: { settings: {}, bpfPredicates: [] },
  impairments: isCut(link) ? link.impairments : undefined,
});

const deedsOf = (link: LinkModel): Deed[] => [
  { kind: "filters", link: link.name, filters: link.filters },
  ...(link.impairments && !isCut(link)
    ? [{ kind: "impairments", link: link.name, impairments: link.impairments } as const]
    : []),
];

function endOf(
  { droppedBy, arrivedNs, discardedFor, to, link }: LoggedFrame,
  log: FrameLog,
): ReplayEnd | undefined {
  if (droppedBy !== undefined) return { at: "link", words: `${link}: ${dropWords(droppedBy)}` };
  if (arrivedNs === undefined) return undefined;
  const late = log.lateDiscards.find(({ node, atNs }) => node === to && atNs >= arrivedNs);
  const reason = discardedFor ?? late?.reason;
  return reason === undefined ? undefined : { at: "node", words: `${to} discards it: ${reason}` };
}

/**
 * Whether a replay went the way that the captures show, so that its end is that of the packet.
 * @param seen the ids of the links that captured the packet, in order.
 * @param went the ids of the links in the replay; undefined for a link that the page does not know.
 */
export function agrees(
  seen: readonly string[],
  went: readonly (string | undefined)[],
  end: ReplayEnd | undefined,
  isCaptured: (linkId: string) => boolean,
): boolean {
  const left = [...seen];
  for (const [index, id] of went.entries()) {
    if (id === undefined) return false;
    if (left[0] === id) {
      left.shift();
      continue;
    }
    // A capture does not have what the link itself drops.
    const isEnd = index === went.length - 1 && end?.at === "link";
    if (isCaptured(id) && !isEnd) return false;
  }
  return left.length === 0;
}
