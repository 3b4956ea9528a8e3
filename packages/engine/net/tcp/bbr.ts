/**
 * BBR, version 1 (draft-cardwell-iccrg-bbr-congestion-control-00): the sender estimates the rate of the path and its round trip without
 * a queue, and sends at this rate. Losses reduce nothing beyond the recovery. As in Linux 6.1, acknowledgements that come in groups
 * widen the window; Linux's detection of policers is absent.
 */
import type { Arrival } from "./arrival.ts";
import type { Bbr } from "./bbr-state.ts";
import { type RateSample, takeSample } from "./delivery-rate.ts";
import { quantumBytes } from "./pacing.ts";
import type { Tcb } from "./tcb.ts";

/** BBRHighGain: 2 / ln 2. */
const HIGH_GAIN = 2.885;
const CYCLE = [1.25, 0.75, 1, 1, 1, 1, 1, 1];
const WINDOW_GAIN = 2;
/** BtlBwFilterLen, RTpropFilterLen and ProbeRTTDuration. */
const RATE_ROUNDS = 10;
const ROUND_TRIP_LIFE_US = 10_000_000;
const PROBE_US = 200_000;
/** BBRMinPipeCwnd */
const MIN_SEGMENTS = 4;
const FULL_GROWTH = 1.25;
const FULL_ROUNDS = 3;
/** As Linux: the rate is 1 % below the estimate, so that no queue grows by rounding. */
const MARGIN = 0.99;
/** As Linux: a group of acknowledgements widens the window by no more than what arrives in 100 ms. */
const LONGEST_GROUP_US = 100_000;
/** Before the first measurement. */
const FIRST_ROUND_TRIP_US = 1_000;

const rateOf = ({ rates }: Bbr): number => rates.reduce((best, { rate }) => Math.max(best, rate), 0);

/** Bandwidth-delay product times a gain, with room for what a sender and a receiver hold back (sections 4.2.3.2 and 4.2.2). */
function targetBytes(tcb: Tcb, bbr: Bbr, gain: number): number {
  const { congestion, mssBytes, pacing } = tcb;
  if (bbr.roundTrip === undefined) return congestion.windowBytes;
  const quantum = pacing ? quantumBytes(pacing, mssBytes) : mssBytes;
  return gain * rateOf(bbr) * bbr.roundTrip.us + 3 * quantum;
}

function gainOf({ phase, cycle }: Bbr): number {
  if (phase === "startup") return HIGH_GAIN;
  if (phase === "drain") return 1 / HIGH_GAIN;
  return phase === "probe bandwidth" ? (CYCLE[cycle] ?? 1) : 1;
}

/** Takes an acknowledgement after recovery.ts. @param priorBytes in flight before it. @param lostBytes found lost by it. */
export function takeDelivery(tcb: Tcb, arrival: Arrival, priorBytes: number, lostBytes: number): void {
  const { bbr } = tcb.congestion;
  if (bbr === undefined) return;
  const { nowUs } = arrival;
  const sample = takeSample(bbr.delivery, tcb.rack.least?.us ?? 0);
  const startsRound = updateRound(bbr, sample);
  updateRate(bbr, sample);
  updateGroups(tcb, bbr, arrival, startsRound);
  updateCycle(tcb, bbr, nowUs, priorBytes, lostBytes);
  checkFull(bbr, sample, startsRound);
  checkDrain(tcb, bbr, nowUs);
  updateRoundTrip(tcb, bbr, arrival, startsRound);
  setPacing(tcb, bbr, nowUs);
  setWindow(tcb, bbr, arrival.deliveredBytes, lostBytes);
}

/** Section 4.1.1.3. */
function updateRound(bbr: Bbr, sample: RateSample | undefined): boolean {
  if (sample === undefined || sample.priorBytes < bbr.roundEnd) return false;
  bbr.roundEnd = bbr.delivery.deliveredBytes;
  bbr.rounds += 1;
  bbr.conserves = false;
  return true;
}

/** Section 4.1.1.2: the best rate of ten rounds. */
function updateRate(bbr: Bbr, sample: RateSample | undefined): void {
  if (sample?.rate === undefined || (sample.isAppLimited && sample.rate < rateOf(bbr))) return;
  keepBest(bbr.rates, { round: bbr.rounds, rate: sample.rate }, ({ rate }) => rate);
  while ((bbr.rates[0]?.round ?? bbr.rounds) <= bbr.rounds - RATE_ROUNDS) bbr.rates.shift();
}

/** Adds to a list whose values fall: what is older and smaller never becomes the best. */
function keepBest<T>(list: T[], added: T, measureOf: (each: T) => number): void {
  for (let last = list.at(-1); last !== undefined && measureOf(last) <= measureOf(added); last = list.at(-1))
    list.pop();
  list.push(added);
}

function updateGroups(tcb: Tcb, bbr: Bbr, { deliveredBytes, nowUs }: Arrival, startsRound: boolean): void {
  if (deliveredBytes === 0) return;
  if (startsRound) while ((bbr.extra[0]?.round ?? bbr.rounds) <= bbr.rounds - RATE_ROUNDS) bbr.extra.shift();
  const expected = rateOf(bbr) * (nowUs - bbr.extraSinceUs);
  if (bbr.extraBytes <= expected) {
    bbr.extraBytes = 0;
    bbr.extraSinceUs = nowUs;
  }
  bbr.extraBytes += deliveredBytes;
  const surplus = bbr.extraBytes - rateOf(bbr) * (nowUs - bbr.extraSinceUs);
  const bytes = Math.min(surplus, tcb.congestion.windowBytes);
  if (bytes > 0) keepBest(bbr.extra, { round: bbr.rounds, bytes }, (each) => each.bytes);
}

/** Section 4.3.4.3. */
function updateCycle(tcb: Tcb, bbr: Bbr, nowUs: number, priorBytes: number, lostBytes: number): void {
  if (bbr.phase !== "probe bandwidth") return;
  const isLong = nowUs - bbr.cycleUs > (bbr.roundTrip?.us ?? 0);
  const gain = gainOf(bbr);
  const isNext =
    gain === 1
      ? isLong
      : gain > 1
        ? isLong && (lostBytes > 0 || priorBytes >= targetBytes(tcb, bbr, gain))
        : isLong || priorBytes <= targetBytes(tcb, bbr, 1);
  if (isNext) advanceCycle(bbr, nowUs);
}

function advanceCycle(bbr: Bbr, nowUs: number): void {
  bbr.cycle = (bbr.cycle + 1) % CYCLE.length;
  bbr.cycleUs = nowUs;
}

/** Section 4.3.2.2. */
function checkFull(bbr: Bbr, sample: RateSample | undefined, startsRound: boolean): void {
  if (bbr.isFull || !startsRound || sample === undefined || sample.isAppLimited) return;
  if (rateOf(bbr) >= bbr.fullRate * FULL_GROWTH) {
    bbr.fullRate = rateOf(bbr);
    bbr.fullRounds = 0;
    return;
  }
  bbr.fullRounds += 1;
  bbr.isFull = bbr.fullRounds >= FULL_ROUNDS;
}

/** Section 4.3.3. */
function checkDrain(tcb: Tcb, bbr: Bbr, nowUs: number): void {
  if (bbr.phase === "startup" && bbr.isFull) bbr.phase = "drain";
  if (bbr.phase === "drain" && tcb.flight.flyingBytes <= targetBytes(tcb, bbr, 1))
    probeBandwidth(tcb, bbr, nowUs);
}

/** Section 4.3.4.2: the cycle begins anywhere but in the phase that drains. The initial number of the connection is random. */
function probeBandwidth(tcb: Tcb, bbr: Bbr, nowUs: number): void {
  bbr.phase = "probe bandwidth";
  bbr.cycle = CYCLE.length - 1 - ((tcb.initial + bbr.rounds) % (CYCLE.length - 1));
  advanceCycle(bbr, nowUs);
}

/** Sections 4.1.2.3 and 4.3.5. */
function updateRoundTrip(tcb: Tcb, bbr: Bbr, arrival: Arrival, startsRound: boolean): void {
  const { nowUs, roundTripUs, deliveredBytes } = arrival;
  const { roundTrip } = bbr;
  const isOld = roundTrip !== undefined && nowUs > roundTrip.atUs + ROUND_TRIP_LIFE_US;
  if (roundTripUs !== undefined && (roundTrip === undefined || isOld || roundTripUs <= roundTrip.us))
    bbr.roundTrip = { us: roundTripUs, atUs: nowUs };
  if (isOld && !bbr.isRestarting && bbr.phase !== "probe round trip") {
    bbr.phase = "probe round trip";
    saveWindow(tcb);
    bbr.probeEndUs = undefined;
  }
  if (bbr.phase === "probe round trip") probeRoundTrip(tcb, bbr, nowUs, startsRound);
  if (deliveredBytes > 0) bbr.isRestarting = false;
}

function probeRoundTrip(tcb: Tcb, bbr: Bbr, nowUs: number, startsRound: boolean): void {
  const { flight, mssBytes, congestion } = tcb;
  bbr.delivery.limitedUntil = bbr.delivery.deliveredBytes + flight.flyingBytes;
  if (bbr.probeEndUs === undefined) {
    if (flight.flyingBytes > MIN_SEGMENTS * mssBytes) return;
    bbr.probeEndUs = nowUs + PROBE_US;
    bbr.isProbeRoundOver = false;
    bbr.roundEnd = bbr.delivery.deliveredBytes;
    return;
  }
  if (startsRound) bbr.isProbeRoundOver = true;
  if (!bbr.isProbeRoundOver || nowUs <= bbr.probeEndUs) return;
  if (bbr.roundTrip) bbr.roundTrip = { ...bbr.roundTrip, atUs: nowUs };
  congestion.windowBytes = Math.max(congestion.windowBytes, bbr.savedBytes);
  if (bbr.isFull) probeBandwidth(tcb, bbr, nowUs);
  else bbr.phase = "startup";
}

/** BBRSaveCwnd: the window before a recovery or a probe. */
export function saveWindow({ congestion }: Tcb): void {
  const { bbr, windowBytes } = congestion;
  if (bbr === undefined) return;
  const isReduced = bbr.wasRecovering || bbr.phase === "probe round trip";
  bbr.savedBytes = isReduced ? Math.max(bbr.savedBytes, windowBytes) : windowBytes;
}

/** Section 4.2.1: the rate falls only when the pipe is full. */
function setPacing(tcb: Tcb, bbr: Bbr, nowUs: number): void {
  const rate = gainOf(bbr) * rateOf(bbr) * MARGIN;
  const first = firstRate(tcb);
  tcb.pacing ??= { rate: first, freeUs: nowUs };
  if (rate > 0 && (bbr.isFull || rate > tcb.pacing.rate)) tcb.pacing.rate = rate;
}

function firstRate({ congestion, roundTrip }: Tcb): number {
  return (HIGH_GAIN * congestion.windowBytes) / (roundTrip.smoothedUs || FIRST_ROUND_TRIP_US);
}

/** Section 4.2.3. */
function setWindow(tcb: Tcb, bbr: Bbr, deliveredBytes: number, lostBytes: number): void {
  const { congestion, mssBytes, flight } = tcb;
  const leastBytes = MIN_SEGMENTS * mssBytes;
  let bytes = congestion.windowBytes;
  if (deliveredBytes > 0 || lostBytes > 0) {
    bytes = Math.max(mssBytes, bytes - lostBytes);
    const recovers = tcb.recovery !== undefined;
    if (recovers && !bbr.wasRecovering) {
      bbr.conserves = tcb.recovery?.kind === "fast";
      bbr.roundEnd = bbr.delivery.deliveredBytes;
      if (bbr.conserves) bytes = flight.flyingBytes + deliveredBytes;
    } else if (!recovers && bbr.wasRecovering) {
      bytes = Math.max(bytes, bbr.savedBytes);
      bbr.conserves = false;
    }
    bbr.wasRecovering = recovers;
    if (bbr.conserves) bytes = Math.max(bytes, flight.flyingBytes + deliveredBytes);
    else bytes = growTo(tcb, bbr, bytes, deliveredBytes);
  }
  congestion.windowBytes = bbr.phase === "probe round trip" ? Math.min(bytes, leastBytes) : bytes;
}

function growTo(tcb: Tcb, bbr: Bbr, bytes: number, deliveredBytes: number): number {
  const gain = bbr.phase === "startup" || bbr.phase === "drain" ? HIGH_GAIN : WINDOW_GAIN;
  const extra = bbr.extra.reduce((most, each) => Math.max(most, each.bytes), 0);
  const widened = bbr.isFull ? Math.min(extra, rateOf(bbr) * LONGEST_GROUP_US) : 0;
  const target = targetBytes(tcb, bbr, gain) + widened;
  const grown = bytes + deliveredBytes;
  const isEarly = bbr.delivery.deliveredBytes < 10 * tcb.mssBytes;
  const next = bbr.isFull ? Math.min(grown, target) : bytes < target || isEarly ? grown : bytes;
  return Math.max(next, MIN_SEGMENTS * tcb.mssBytes);
}

/** Section 4.3.4.4: the application sends again after an idle time. */
export function restart(tcb: Tcb): void {
  const { bbr } = tcb.congestion;
  if (bbr?.delivery.limitedUntil === undefined) return;
  bbr.isRestarting = true;
  if (bbr.phase === "probe bandwidth" && tcb.pacing) tcb.pacing.rate = rateOf(bbr);
}
