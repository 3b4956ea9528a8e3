/**
 * The start-up script of a PC: what is left of it, from run to run, and what was printed while it ran.
 *
 * A run may end, at its duration or a limit, in the middle of the script. The lines still to run stay in the PC's state, and
 * the next run that the PC takes part in resumes them: a `sleep` with what is left of its time, the check of an address with the
 * probe that was cut off, any other line from its beginning.
 *
 * A line without an end must not keep the console busy for ever: once three runs have cut it off, and it has had a minute of
 * lab time, it is left out. One that had less is resumed however often it is cut off: it was not given the time to end, by
 * short runs or by a storm that took what a run may do.
 */
import type { StartupReport } from "../device.ts";
import type { PcState, StartupState } from "./state.ts";

/** How often a line is begun again, at least. */
const RESTARTS_MAX = 2;
/** Lab time after which it may be left out. */
const ENOUGH_US = 60_000_000;
const OUTPUT_MAX_CHARACTERS = 4_096;

export const isIgnored = (line: string): boolean => line === "" || /^[#;]/.test(line);

/** The lines of a file that do something, trimmed. */
export const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => !isIgnored(line));

export const beginStartup = (text: string, nowUs: number): StartupState => ({
  lines: linesOf(text),
  begunUs: nowUs,
  sinceUs: nowUs,
  ranUs: 0,
  steps: 0,
  restarts: 0,
  output: "",
});

/** The next line is under way. */
export function nextLine(startup: StartupState, nowUs: number): void {
  startup.lines = startup.lines.slice(1);
  startup.begunUs = nowUs;
  startup.sinceUs = nowUs;
  startup.ranUs = 0;
  startup.steps = 0;
  startup.restarts = 0;
}

/** What is saved of a script that may be in the middle of a line. */
export function suspendStartup({ sinceUs, ...startup }: StartupState, nowUs: number): StartupState {
  if (sinceUs === undefined || startup.lines.length === 0) return startup;
  return { ...startup, ranUs: (startup.ranUs ?? 0) + nowUs - sinceUs };
}

/**
 * Counts that the line under way is begun again, unless that costs it nothing.
 * @returns the line when it has been cut off too often: it is left out.
 */
export function restartLine(
  startup: StartupState,
  keepsItsTime: (line: string) => boolean,
  nowUs: number,
): string | undefined {
  const [line] = startup.lines;
  startup.sinceUs = nowUs;
  startup.steps ??= 0;
  if (line === undefined || keepsItsTime(line)) return undefined;
  startup.restarts += 1;
  if (startup.restarts <= RESTARTS_MAX || (startup.ranUs ?? 0) < ENOUGH_US) return undefined;
  nextLine(startup, nowUs);
  return line;
}

/** Adds to what was printed; cut now and then only, for it is called for every text. */
export function recordOutput(startup: StartupState, text: string): void {
  const output = startup.output + text;
  startup.output = output.length > 2 * OUTPUT_MAX_CHARACTERS ? tailOf(output) : output;
}

/** What is kept: the last characters, from the beginning of a line on. */
export function tailOf(output: string): string {
  if (output.length <= OUTPUT_MAX_CHARACTERS) return output;
  const tail = output.slice(-OUTPUT_MAX_CHARACTERS);
  return tail.slice(tail.indexOf("\n") + 1);
}

/** @param state what a PC has saved, in this release or an earlier one; undefined for one that never ran. */
export function startupReport(state: Pick<PcState, "startup"> | undefined): StartupReport {
  const startup = state?.startup;
  if (startup === undefined) return { status: "none", output: "", remaining: [] };
  const { lines, output } = startup;
  return { status: lines.length > 0 ? "running" : "done", output: tailOf(output), remaining: lines };
}
