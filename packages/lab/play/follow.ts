/** Follows one packet through a lab: each link that it crosses, each node that handles it. */
import type { FrameLog, LoggedFrame } from "./frame-log.ts";
import { identityBehind, identityOf } from "./packet-identity.ts";

/**
 * Returns the way of the packet in a frame, from this frame on, in order of time. Where the packet was copied (a flood), the way is
 * that of the copy that arrived at `target`, else of the one that went farthest.
 */
export function followPacket(
  { frames }: FrameLog,
  first: LoggedFrame,
  target: string,
): readonly LoggedFrame[] {
  const own = framesOf(frames.slice(frames.indexOf(first)), first, target);
  const ways = own.filter(({ to }) => to === target).map((last) => wayTo(last, own, first));
  const arrived = ways.find((way) => way.at(-1)?.arrivedNs !== undefined);
  if (arrived) return arrived;
  const all = [...ways, ...own.map((last) => wayTo(last, own, first))];
  return all.reduce((longest, way) => (way.length > longest.length ? way : longest), []);
}

/**
 * The frames that carry the packet of the first one. A packet that has arrived at a node, and does not leave it, may leave it with
 * other addresses: its node translates them.
 */
function framesOf(frames: readonly LoggedFrame[], first: LoggedFrame, target: string): LoggedFrame[] {
  const identities = new Set([identityOf(first.frame)]);
  const behind = identityBehind(first.frame);
  const own: LoggedFrame[] = [];
  const arrivals = new Map<string, number>();
  const left = new Set<string>();
  const isTranslated = ({ from, enteredNs, frame }: LoggedFrame): boolean =>
    behind !== undefined &&
    from !== target &&
    !left.has(from) &&
    (arrivals.get(from) ?? Number.POSITIVE_INFINITY) <= enteredNs &&
    identityBehind(frame) === behind;
  for (const each of frames) {
    const identity = identityOf(each.frame);
    if (!identities.has(identity) && !isTranslated(each)) continue;
    identities.add(identity);
    own.push(each);
    left.add(each.from);
    if (each.arrivedNs !== undefined && !arrivals.has(each.to)) arrivals.set(each.to, each.arrivedNs);
  }
  return own;
}

/** Goes back from a frame to the first: each frame was sent by a node after the one before it arrived there. */
function wayTo(last: LoggedFrame, own: readonly LoggedFrame[], first: LoggedFrame): LoggedFrame[] {
  const way = [last];
  for (let head = last; head !== first; ) {
    const before = own.findLast(
      ({ to, arrivedNs }) => to === head.from && arrivedNs !== undefined && arrivedNs <= head.enteredNs,
    );
    // A second transmission of the sender has nothing before it.
    if (before === undefined || way.includes(before)) return way;
    way.unshift(before);
    head = before;
  }
  return way;
}
