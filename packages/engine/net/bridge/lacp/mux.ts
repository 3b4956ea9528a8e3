/** The mux machine with independent control (IEEE 802.1AX-2014, 6.4.15): from a selected port to one that collects and distributes. */
import { has, type Member, type MuxState } from "./member.ts";

/** Aggregate_Wait_Time: ports that come up together are attached together. */
const WAIT_US = 2_000_000;

/** @param members all of one bundle. @returns whether anything changed. */
export function moveMuxes(members: readonly Member[], nowUs: number): boolean {
  const waiting = members.filter(({ mux, selected }) => mux === "waiting" && selected);
  const isReady = waiting.every(({ waitUntilUs }) => waitUntilUs <= nowUs);
  let hasChanged = false;
  for (const member of members) {
    const next = nextOf(member, isReady);
    if (next === member.mux) continue;
    if (next === "waiting") member.waitUntilUs = nowUs + WAIT_US;
    else member.needToTransmit = true;
    member.mux = next;
    hasChanged = true;
  }
  return hasChanged;
}

function nextOf({ mux, selected, partner }: Member, isReady: boolean): MuxState {
  if (!selected) return "detached";
  const isInSync = has(partner, "synchronization");
  switch (mux) {
    case "detached":
      return "waiting";
    case "waiting":
      return isReady ? "attached" : "waiting";
    case "attached":
      return isInSync ? "collecting" : "attached";
    case "collecting":
      if (!isInSync) return "attached";
      return has(partner, "collecting") ? "distributing" : "collecting";
    case "distributing":
      return isInSync && has(partner, "collecting") ? "distributing" : "collecting";
  }
}
