/**
 * Sends answers back to the source of a packet. Resolves an unknown neighbour's MAC first, once for all waiting answers.
 * Answers a source outside the subnet through the router, if there is one.
 */
import type { Host, ReceivedIpv6 } from "../host.ts";
import { resolveAnswer } from "./neighbours.ts";

/** Bounds the answers that wait for unresponsive neighbours. */
const WAITING_MAX = 64;
const NEIGHBOURS_MAX = 64;

type Send = (targetMac: number) => void;

/** Waiting answers in order, by the neighbour whose MAC they need. */
const waitingOf = new WeakMap<Host, Map<bigint, Send[]>>();

/** @param payload `sendIpv6` fills in its checksum. */
export function answer(host: Host, { header }: ReceivedIpv6, nextHeader: number, payload: Uint8Array): void {
  const { source: target, target: source } = header;
  const send: Send = (targetMac) => host.sendIpv6(targetMac, { source, target, nextHeader }, payload);
  const waiting = waitingOf.get(host) ?? new Map<bigint, Send[]>();
  waitingOf.set(host, waiting);
  const queue = waiting.get(target);
  if (queue === undefined && waiting.size < NEIGHBOURS_MAX) {
    waiting.set(target, [send]);
    host.spawn(sendWaiting(host, target, waiting));
  } else if (queue !== undefined && queue.length < WAITING_MAX) queue.push(send);
}

function* sendWaiting(host: Host, target: bigint, waiting: Map<bigint, Send[]>) {
  const targetMac = yield* resolveAnswer(host, target);
  const sends = waiting.get(target) ?? [];
  waiting.delete(target);
  if (targetMac !== undefined) for (const send of sends) send(targetMac);
}
