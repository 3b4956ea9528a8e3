/** The pace at which consoles print, by the variable CONSOLE_PACE. */
import type { Pace } from "../../shared/console/play.ts";

/** @throws Error when the variable is set to another value. */
export function readPace(text = process.env.CONSOLE_PACE || "once"): Pace {
  if (text === "once" || text === "real") return text;
  throw new Error(`CONSOLE_PACE must be once or real, got ${text}`);
}
