/** The selection logic (IEEE 802.1AX-2014, 6.4.14): which ports of a bundle lead to the same bundle of one other system. */
import { actorOf, has, isSameGroup, type Member } from "./member.ts";

/** @param members all of one bundle. @returns whether anything changed. */
export function selectMembers(members: readonly Member[]): boolean {
  // Ports that are in use stay; a port that leads elsewhere does not replace them.
  const leader = members.find((each) => each.selected) ?? members.find(isCandidate);
  let hasChanged = false;
  for (const member of members) {
    // A port whose partner has changed is detached before it is selected again.
    const isFree = member.selected || member.mux === "detached";
    const selected =
      leader !== undefined && isFree && isCandidate(member) && isSameGroup(member.partner, leader.partner);
    if (member.selected === selected) continue;
    member.selected = selected;
    hasChanged = true;
  }
  return hasChanged;
}

/** A port whose partner aggregates and is no port of the same bundle. */
export const isCandidate = (member: Member): boolean =>
  (member.receive === "current" || member.receive === "expired") &&
  has(member.partner, "aggregation") &&
  !isSameGroup(member.partner, actorOf(member));
