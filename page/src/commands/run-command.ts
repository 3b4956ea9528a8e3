/** Runs a command: from keys, menus and the palette alike. */
import type { Lab } from "../lab/lab.ts";
import { attempt } from "../ui/notices.tsx";
import { ACTIONS, type Press } from "./actions.ts";
import type { CommandId } from "./table.ts";

export const canRun = (lab: Lab, id: CommandId): boolean => ACTIONS[id].can?.(lab) ?? true;

/** @returns false if the press of the keys is for another purpose. */
export function runCommand(lab: Lab, id: CommandId, press?: Press): boolean {
  let made: unknown;
  try {
    made = ACTIONS[id].run(lab, press);
  } catch (error) {
    made = Promise.reject(error);
  }
  if (made === false) return false;
  attempt(async () => lab.history.follow(made));
  return true;
}
