/** The periodic transmission machine (IEEE 802.1AX-2014, 6.4.13), and the limit of frames in a second (6.4.16). */
import { has, type Member } from "./member.ts";

const SECOND_US = 1_000_000;
const INTERVAL_US = { fast: SECOND_US, slow: 30 * SECOND_US } as const;
const MAX_SENT = 3;

/** @returns whether anything changed. */
export function updatePeriodic(member: Member, nowUs: number): boolean {
  const wanted = wantedOf(member);
  if (wanted === "none") {
    // Two passive ends send nothing at all.
    member.needToTransmit = false;
    if (member.periodic === "none") return false;
    member.periodic = "none";
    return true;
  }
  if (member.periodic !== wanted) {
    if (member.periodic === "slow") member.needToTransmit = true;
    member.periodic = wanted;
    member.periodicUs = nowUs + INTERVAL_US[wanted];
    return true;
  }
  if (nowUs < member.periodicUs) return false;
  member.needToTransmit = true;
  member.periodicUs = nowUs + INTERVAL_US[wanted];
  return true;
}

function wantedOf({ isUp, bundle, partner }: Member): Member["periodic"] {
  if (!isUp || (bundle.mode === "passive" && !has(partner, "activity"))) return "none";
  return has(partner, "timeout") ? "fast" : "slow";
}

/** Takes one of the frames that a port may send in a second. @returns false if none is left. */
export function takeTurn(member: Member, nowUs: number): boolean {
  if (nowUs >= member.sentSinceUs + SECOND_US) {
    member.sentSinceUs = nowUs;
    member.sent = 0;
  }
  if (member.sent >= MAX_SENT) return false;
  member.sent += 1;
  return true;
}

/** When a port that has sent all its frames may send again. */
export const nextTurnUs = ({ sentSinceUs }: Member): number => sentSinceUs + SECOND_US;
