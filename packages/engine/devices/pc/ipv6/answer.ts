/**
 * Sends answers back to the source of a packet. Resolves an unknown neighbour's MAC first, once for all waiting answers.
 * Answers a source outside the subnet through the router, if there is one.
 */
import type { Ipv6Fields } from "../../../wire/ipv6.ts";
import type { Host, ReceivedIpv6, Script } from "../host.ts";
import { type Notes, notesOf } from "../notes.ts";
import { resolveAnswer } from "./neighbours.ts";

/** Bounds the answers that wait for unresponsive neighbours. */
const WAITING_MAX = 64;
const NEIGHBOURS_MAX = 64;

interface Answer6 {
  readonly fields: Ipv6Fields;
  readonly payload: Uint8Array;
}

type Waiting = Map<bigint, Answer6[]>;

/** Waiting answers in order, by the neighbour whose MAC they need. */
const waitingOf = new WeakMap<Host, Waiting>();

export const waitingAnswers6 = (host: Host): Waiting => {
  const waiting = waitingOf.get(host) ?? new Map();
  waitingOf.set(host, waiting);
  return waiting;
};

export const restoreAnswers6 = (host: Host, waiting: Waiting): void => {
  waitingOf.set(host, waiting);
};

/** @param payload `sendIpv6` fills in its checksum. */
export function answer(host: Host, { header }: ReceivedIpv6, nextHeader: number, payload: Uint8Array): void {
  const { source: target, target: source } = header;
  const answer: Answer6 = { fields: { source, target, nextHeader }, payload };
  const waiting = waitingAnswers6(host);
  const queue = waiting.get(target);
  if (queue === undefined && waiting.size < NEIGHBOURS_MAX) {
    waiting.set(target, [answer]);
    host.spawn("answers6", { target });
  } else if (queue !== undefined && queue.length < WAITING_MAX) queue.push(answer);
}

export function* sendWaiting6(host: Host, notes: Notes): Script {
  const target = notes.target as bigint;
  const targetMac = yield* resolveAnswer(host, target, notesOf(notes, "mac"));
  const waiting = waitingAnswers6(host);
  const answers = waiting.get(target) ?? [];
  waiting.delete(target);
  if (targetMac !== undefined)
    for (const { fields, payload } of answers) host.sendIpv6(targetMac, fields, payload);
}
