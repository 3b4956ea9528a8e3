/** The receive machine (IEEE 802.1AX-2014, 6.4.12): what is known of the partner, and for how long. */
import { LACP_STATE, type Lacpdu } from "../../../wire/lacp.ts";
import { actorOf, has, isSameEnd, type Member, NO_PARTNER, withState } from "./member.ts";

const SECOND_US = 1_000_000;
/** Short_Timeout_Time and Long_Timeout_Time. */
const SHORT_US = 3 * SECOND_US;
const LONG_US = 90 * SECOND_US;

/** Follows the carrier and the timer. @returns whether anything changed. */
export function updateReceive(member: Member, nowUs: number): boolean {
  if (!member.isUp) {
    if (member.receive === "disabled") return false;
    member.receive = "disabled";
    member.selected = false;
    member.partner = withState(member.partner, "synchronization", false);
    return true;
  }
  if (member.receive === "disabled") {
    expire(member, nowUs);
    return true;
  }
  if (member.receive === "defaulted" || nowUs < member.currentUntilUs) return false;
  if (member.receive === "current") expire(member, nowUs);
  else {
    if (!isSameEnd(member.partner, NO_PARTNER)) member.selected = false;
    member.partner = NO_PARTNER;
    member.receive = "defaulted";
  }
  return true;
}

/** The partner is asked for frames in quick succession, and its port is not used until one comes. */
function expire(member: Member, nowUs: number): void {
  member.receive = "expired";
  member.partner = withState(withState(member.partner, "synchronization", false), "timeout", true);
  member.currentUntilUs = nowUs + SHORT_US;
}

/** The bits of a state whose change the partner must hear (update_NTT, 6.4.9). */
const REPORTED =
  LACP_STATE.activity | LACP_STATE.timeout | LACP_STATE.synchronization | LACP_STATE.aggregation;

export function hear(member: Member, { actor, partner }: Lacpdu, nowUs: number): void {
  if (!isSameEnd(actor, member.partner)) member.selected = false;
  const own = actorOf(member);
  const knowsUs = isSameEnd(partner, own);
  if (!knowsUs || (partner.state & REPORTED) !== (own.state & REPORTED)) member.needToTransmit = true;
  const isMaintained = has(actor, "activity") || (has(own, "activity") && has(partner, "activity"));
  const isIndividual = !has(actor, "aggregation");
  const isInSync = has(actor, "synchronization") && isMaintained && (knowsUs || isIndividual);
  member.partner = withState(actor, "synchronization", isInSync);
  member.receive = "current";
  member.currentUntilUs = nowUs + (member.bundle.rate === "fast" ? SHORT_US : LONG_US);
}
