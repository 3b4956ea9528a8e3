/** Follows one packet through a lab: each link that it crosses, each node that handles it. */
import type { FrameLog, LoggedFrame } from "./frame-log.ts";

/**
 * Returns the way of a packet: the first frame for which `begins` holds, and the frames that nodes sent because of it, up to
 * the one that went farthest. Where the packet was copied (a flood), the copy that arrived at `target` counts, else the last one
 * that was dropped or ended.
 */
export function followPacket(
  log: FrameLog,
  begins: (frame: LoggedFrame) => boolean,
  target: string,
): readonly LoggedFrame[] {
  const first = log.frames.findIndex(begins);
  if (first < 0) return [];
  const own = new Set([first]);
  for (const [index, { cause }] of log.frames.entries()) {
    if (cause !== undefined && own.has(cause) && log.frames[cause]!.to !== target) own.add(index);
  }
  const arrivals = [...own].filter((index) => isAt(log.frames[index]!, target));
  const last = arrivals[0] ?? Math.max(...own);
  return chainTo(log, last, first);
}

const isAt = ({ to, arrivedNs }: LoggedFrame, target: string): boolean =>
  to === target && arrivedNs !== undefined;

function chainTo({ frames }: FrameLog, last: number, first: number): LoggedFrame[] {
  const chain: LoggedFrame[] = [];
  for (let index: number | undefined = last; index !== undefined; index = frames[index]!.cause) {
    chain.unshift(frames[index]!);
    if (index === first) break;
  }
  return chain;
}
