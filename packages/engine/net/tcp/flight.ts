/**
 * What was sent and is not acknowledged yet: a record for each segment, because the order of sending decides what is lost (RFC 8985,
 * section 5.1). Plain JSON data.
 *
 *     flying --- reported or acknowledged ---> arrived
 *       |  ^
 *       v  | sent again, or found not to be lost
 *      lost -- reported or acknowledged -----> arrived
 */
import type { Departure } from "./delivery-rate.ts";

/** `arrived`: the peer has reported it beyond a gap (RFC 2018). */
export type Fate = "flying" | "arrived" | "lost";

export interface SentSegment {
  start: number;
  end: number;
  /** When it was sent last, and the number of that sending. */
  sentUs: number;
  serial: number;
  isResent: boolean;
  fate: Fate;
  /** Present if the rate of delivery is estimated. */
  departure?: Departure | undefined;
}

interface Sending {
  readonly start: number;
  readonly serial: number;
}

export interface Flight {
  /** By position, without gaps. */
  readonly segments: SentSegment[];
  /** In the order of sending. Entries of segments that no longer fly, or were sent again, are stale. */
  readonly order: Sending[];
  /** Starts of lost segments, by position. Entries of segments that have arrived meanwhile are stale. */
  readonly lost: number[];
  /** The number of the next sending. RFC 8985 compares times and positions; here a microsecond may have many sendings. */
  nextSerial: number;
  /** Bytes that fly: pipe of RFC 6675, section 4. */
  flyingBytes: number;
  /** Bytes of them that were sent again. */
  resentBytes: number;
}

export const makeFlight = (): Flight => ({
  segments: [],
  order: [],
  lost: [],
  nextSerial: 0,
  flyingBytes: 0,
  resentBytes: 0,
});

/** Returns the index of the first segment that ends after a position. */
function indexAt({ segments }: Flight, position: number): number {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const end = segments[middle]?.end ?? Number.POSITIVE_INFINITY;
    if (end <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function segmentAt(flight: Flight, start: number): SentSegment | undefined {
  const segment = flight.segments[indexAt(flight, start)];
  return segment?.start === start ? segment : undefined;
}

function count(flight: Flight, { start, end, isResent }: SentSegment, sign: 1 | -1): void {
  flight.flyingBytes += sign * (end - start);
  if (isResent) flight.resentBytes += sign * (end - start);
}

function setFate(flight: Flight, segment: SentSegment, fate: Fate): void {
  if (segment.fate === "flying") count(flight, segment, -1);
  segment.fate = fate;
  if (fate === "flying") count(flight, segment, 1);
}

/** Notes a segment at the end. */
export function noteSent(flight: Flight, sent: Omit<SentSegment, "serial">): void {
  const segment: SentSegment = { ...sent, serial: flight.nextSerial++ };
  flight.segments.push(segment);
  if (segment.fate === "lost") noteLost(flight, segment.start);
  if (segment.fate !== "flying") return;
  flight.order.push({ start: segment.start, serial: segment.serial });
  count(flight, segment, 1);
}

/** Notes a segment of new data. */
export const noteNew = (
  flight: Flight,
  start: number,
  end: number,
  sentUs: number,
  departure: Departure | undefined,
): void =>
  noteSent(flight, { start, end, sentUs, isResent: false, fate: "flying", ...(departure && { departure }) });

/** Notes that a segment is sent again. */
export function noteAgain(
  flight: Flight,
  segment: SentSegment,
  sentUs: number,
  departure: Departure | undefined,
): void {
  setFate(flight, segment, "lost");
  if (departure) segment.departure = departure;
  segment.sentUs = sentUs;
  segment.serial = flight.nextSerial++;
  segment.isResent = true;
  setFate(flight, segment, "flying");
  flight.order.push({ start: segment.start, serial: segment.serial });
}

/** Cuts a segment in two, because the peer reports a part of it or takes only smaller ones. */
function split(flight: Flight, index: number, at: number): void {
  const segment = flight.segments[index];
  if (segment === undefined || at <= segment.start || at >= segment.end) return;
  flight.segments.splice(index + 1, 0, { ...segment, start: at });
  const { serial } = segment;
  segment.end = at;
  const place = flight.order.findIndex((each) => each.serial === serial);
  if (segment.fate === "flying" && place >= 0) flight.order.splice(place + 1, 0, { start: at, serial });
  if (segment.fate === "lost") noteLost(flight, at);
}

/** Takes a report of [start, end). Calls `take` with each segment that had not arrived, before it changes. */
export function arriveWithin(
  flight: Flight,
  start: number,
  end: number,
  take: (segment: SentSegment) => void,
): void {
  let index = indexAt(flight, start);
  split(flight, index, start);
  index = indexAt(flight, start);
  for (; index < flight.segments.length; index++) {
    split(flight, index, end);
    const segment = flight.segments[index];
    if (segment === undefined || segment.end > end) return;
    if (segment.fate === "arrived") continue;
    take(segment);
    setFate(flight, segment, "arrived");
  }
}

/** Takes the acknowledgement of everything before a position. Calls `take` with each segment that had not arrived. */
export function arriveBefore(flight: Flight, position: number, take: (segment: SentSegment) => void): void {
  split(flight, indexAt(flight, position), position);
  const index = indexAt(flight, position);
  for (const segment of flight.segments.slice(0, index)) {
    if (segment.fate === "arrived") continue;
    take(segment);
    setFate(flight, segment, "arrived");
  }
  flight.segments.splice(0, index);
  const kept = flight.lost.findIndex((start) => start >= position);
  flight.lost.splice(0, kept < 0 ? flight.lost.length : kept);
  dropStale(flight);
}

function dropStale(flight: Flight): void {
  let stale = 0;
  for (const sending of flight.order) {
    if (flyingOf(flight, sending)) break;
    stale += 1;
  }
  flight.order.splice(0, stale);
}

/** The segment of an entry, if it still flies. */
function flyingOf(flight: Flight, { start, serial }: Sending): SentSegment | undefined {
  const segment = segmentAt(flight, start);
  return segment?.fate === "flying" && segment.serial === serial ? segment : undefined;
}

/** Visits what flies in the order of sending, until `visit` returns "stop". It takes a segment out as lost by returning "lost". */
export function visitInOrder(
  flight: Flight,
  visit: (segment: SentSegment) => "keep" | "lost" | "stop",
): void {
  const { order } = flight;
  const kept: Sending[] = [];
  let at = 0;
  for (; at < order.length; at++) {
    const sending = order[at];
    const segment = sending && flyingOf(flight, sending);
    if (sending === undefined || segment === undefined) continue;
    const decision = visit(segment);
    if (decision === "stop") break;
    if (decision === "keep") kept.push(sending);
    else markLost(flight, segment);
  }
  order.splice(0, at, ...kept);
}

export function markLost(flight: Flight, segment: SentSegment): void {
  setFate(flight, segment, "lost");
  noteLost(flight, segment.start);
}

function noteLost({ lost }: Flight, start: number): void {
  let at = lost.length;
  while (at > 0 && (lost[at - 1] ?? 0) > start) at -= 1;
  if (lost[at - 1] !== start) lost.splice(at, 0, start);
}

/** Marks everything that flies as lost, and with `forgets` also what the peer has reported (RFC 2018, section 8). */
export function markAllLost(flight: Flight, forgets: boolean): void {
  for (const segment of flight.segments)
    if (segment.fate === "flying" || (forgets && segment.fate === "arrived")) markLost(flight, segment);
  flight.order.splice(0);
}

/** Takes back that segments are lost that have not been sent again. */
export function unmarkLost(flight: Flight): void {
  for (const start of flight.lost.splice(0)) {
    const segment = segmentAt(flight, start);
    if (segment?.fate !== "lost") continue;
    setFate(flight, segment, "flying");
    flight.order.push({ start, serial: segment.serial });
  }
  flight.order.sort((a, b) => a.serial - b.serial || a.start - b.start);
}

/** Returns the first lost segment: NextSeg, rule 1 of RFC 6675, section 4. It is no larger than `mssBytes`. */
export function firstLost(flight: Flight, mssBytes: number): SentSegment | undefined {
  for (;;) {
    const start = flight.lost[0];
    if (start === undefined) return undefined;
    const segment = segmentAt(flight, start);
    if (segment?.fate === "lost") {
      split(flight, indexAt(flight, start), start + mssBytes);
      return segment;
    }
    flight.lost.shift();
  }
}

export const hasLost = (flight: Flight): boolean => firstLost(flight, Number.POSITIVE_INFINITY) !== undefined;
