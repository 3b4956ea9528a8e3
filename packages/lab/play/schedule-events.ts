/** Puts the events of a timeline into a simulation. */
import {
  type Action,
  changeLink,
  sendFrames,
  switchPower,
  typeCommands,
} from "@wirelab/engine/simulation/actions";
import { ConsoleSession } from "@wirelab/engine/simulation/console-session";
import type { Simulation } from "@wirelab/engine/simulation/simulation";
import type { Deed, LabEvent } from "../model/lab-model.ts";

interface ScheduleOptions {
  /** Earlier events, and those at this time, have happened. */
  readonly afterNs?: number;
  readonly makeSession?: MakeSession;
}
type MakeSession = (node: string, commands: readonly string[]) => ConsoleSession;

export function scheduleEvents(
  simulation: Simulation,
  events: readonly LabEvent[],
  {
    afterNs = -1,
    makeSession = (node, commands) => new ConsoleSession(node, commands),
  }: ScheduleOptions = {},
): void {
  for (const { atNs, deeds } of events) {
    if (atNs <= afterNs) continue;
    for (const deed of deeds) simulation.schedule(atNs, toAction(deed, makeSession));
  }
}

function toAction(deed: Deed, makeSession: MakeSession): Action {
  switch (deed.kind) {
    case "console":
      return typeCommands(makeSession(deed.node, deed.commands));
    case "link":
      return changeLink(deed.link, { suspended: deed.isDown });
    case "filters":
      return changeLink(deed.link, { filters: deed.filters });
    case "impairments":
      // Without a time of their own, a schedule begins at the event.
      return changeLink(deed.link, {
        impairments: deed.impairments && { impairments: deed.impairments.impairments },
      });
    case "power":
      return switchPower([deed.node], deed.action);
    case "replay":
      return sendFrames(deed.from.node, deed.from.port, deed.frames);
  }
}
