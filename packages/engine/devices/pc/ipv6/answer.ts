/**
 * Packets that answer packets: they go back to where those came from. A neighbour whose MAC is not known is asked for it
 * first, once for all that wait; what comes from afar is answered through the router, if there is one.
 */
import type { Host, ReceivedIpv6 } from "../host.ts";
import { resolveAnswer } from "./neighbours.ts";

/** A flood from neighbours that do not answer must not pile up. */
const WAITING_MAX = 64;
const NEIGHBOURS_MAX = 64;

type Send = (targetMac: number) => void;

/** Answers that wait, in order, by the neighbour they wait for. */
const waitingOf = new WeakMap<Host, Map<bigint, Send[]>>();

/** @param payload its checksum is filled in. */
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
