/** Evidence of a probe that failed: the probe again, with a log of all frames. */
import { NS_PER_SECOND } from "@wirelab/engine/base/time";
import type { Probe } from "../model/expectation.ts";
import { formatDuration } from "../model/quantity.ts";
import { followPacket } from "../play/follow.ts";
import { FrameLog, type LoggedFrame } from "../play/frame-log.ts";
import type { Played } from "../play/play.ts";
import { type PingOptions, ping } from "../play/probe.ts";
import { isAnswerTo, isFor, lookupName } from "../play/probe-packet.ts";
import type { Death, Evidence } from "../report/report.ts";
import { dropWords, showPacket } from "../report/show-packet.ts";

const SHOWN_PACKETS = 12;
/** VPCS and the router wait a second for each reply. */
const WAITS_NS = NS_PER_SECOND;
/** Long enough for what is late, short enough that a lab with endless traffic costs little. */
const LINGER_NS = 10 * NS_PER_SECOND;

export function explainProbe(played: Played, probe: Probe, options: PingOptions): Evidence {
  const log = new FrameLog();
  const { transcript, doneNs, target } = ping(played, probe, {
    ...options,
    observer: log,
    lingerNs: LINGER_NS,
  });
  const beginNs = options.atNs ?? played.endNs;
  const explained = explain(log, probe, target, doneNs);
  const said = printedBy(transcript);
  return {
    packets: explained.way.slice(-SHOWN_PACKETS).map(showPacket),
    death:
      explained.death === undefined
        ? said === undefined
          ? undefined
          : { where: probe.from, why: `its console says: ${said}`, at: beginNs / NS_PER_SECOND }
        : { ...explained.death, at: explained.death.at / NS_PER_SECOND },
  };
}

interface Explained {
  readonly way: readonly LoggedFrame[];
  /** With the time in nanoseconds of the log. */
  readonly death: Death | undefined;
}

/** Follows the last packet of the probe to its target, and the answer back. Without a packet, the last look-up of a neighbour's address. */
function explain(
  log: FrameLog,
  { from, to }: Probe,
  target: string | undefined,
  doneNs = Number.POSITIVE_INFINITY,
): Explained {
  const own = log.frames.filter((each) => each.from === from && each.enteredNs <= doneNs);
  const sent = own.findLast(({ frame }) => isFor(target, frame));
  if (sent === undefined) {
    const request = own.findLast(({ frame }) => lookupName(frame) !== undefined);
    if (request === undefined) return { way: [], death: undefined };
    const way = followPacket(log, request, to);
    return { way, death: endOf(way, log, `got no answer to its ${lookupName(request.frame)}`) };
  }
  const way = followPacket(log, sent, to);
  const last = way.at(-1)!;
  if (last.to !== to || last.arrivedNs === undefined || last.discardedFor !== undefined) {
    return { way, death: endOf(way, log, withoutCause(last, log)) };
  }
  const answer = log.frames.find(
    (each) => each.from === to && each.enteredNs >= last.arrivedNs! && isAnswerTo(last.frame, each.frame),
  );
  if (answer === undefined) return { way, death: endOf(way, log, "got it and sent no answer") };
  const back = followPacket(log, answer, from);
  return {
    way: [...way, ...back],
    death: lateOf(back, sent, from) ?? endOf(back, log, withoutCause(back.at(-1), log, "the answer")),
  };
}

/** What is known of a packet that arrived and was neither discarded nor seen again. */
function withoutCause(last: LoggedFrame | undefined, log: FrameLog, what = "it"): string {
  const index = last === undefined ? -1 : log.frames.indexOf(last);
  return index >= 0 && log.frames.some(({ cause }) => cause === index)
    ? `got ${what}, and what it sent then is another packet; no cause is known`
    : `got ${what} and sent nothing on; no cause is known`;
}

/** @returns undefined unless the answer is back at the node that waited for it. */
function lateOf(back: readonly LoggedFrame[], sent: LoggedFrame, from: string): Death | undefined {
  const last = back.at(-1);
  if (last?.arrivedNs === undefined || last.to !== from || last.discardedFor !== undefined) return undefined;
  const tookNs = last.arrivedNs - sent.enteredNs;
  if (tookNs < WAITS_NS) return undefined;
  const why = `got the answer late: ${formatDuration(tookNs)} after it sent the packet; it waits for 1s`;
  return { where: from, why, at: last.arrivedNs };
}

/** @param otherwise what the last node did, if the log has no reason. */
function endOf(way: readonly LoggedFrame[], log: FrameLog, otherwise: string): Death | undefined {
  const last = way.at(-1);
  if (last === undefined) return undefined;
  const { link, to, enteredNs, arrivedNs, droppedBy, discardedFor } = last;
  if (droppedBy !== undefined) return { where: link, why: dropWords(droppedBy), at: enteredNs };
  if (discardedFor !== undefined) return { where: to, why: discardedFor, at: arrivedNs! };
  if (arrivedNs === undefined)
    return { where: link, why: "still on the link when the run ended", at: enteredNs };
  const late = log.lateDiscards.findLast(({ node, atNs }) => node === to && atNs >= arrivedNs);
  return late ? { where: to, why: late.reason, at: late.atNs } : { where: to, why: otherwise, at: arrivedNs };
}

/** What a console printed about the failure: its last line that is no prompt. */
const printedBy = (transcript: string): string | undefined =>
  transcript
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\S+[>#] /.test(`${line} `))
    .at(-1)
    ?.trim();
