/**
 * The start-up script of a PC: the remaining lines, kept between runs, and the output printed while it ran.
 *
 * A run may end, at its duration or a limit, in the middle of the script. The remaining lines stay in the PC's state, and the
 * PC's next run resumes them: a `sleep` with its remaining time, an address check with the interrupted probe, any other line
 * from its beginning.
 *
 * An endless line must not block the console: the PC skips a line that three runs have cut off and that has had a minute of
 * lab time. A line that had less time is resumed each time, because short runs, or a packet storm that used up a run's limits,
 * did not give it time to end.
 */
import type { StartupReport } from "../device.ts";
import type { PcState, StartupState } from "./state.ts";

/** The minimum number of restarts before a line is skipped. */
const RESTARTS_MAX = 2;
/** Lab time after which a line may be skipped. */
const ENOUGH_US = 60_000_000;
const OUTPUT_MAX_CHARACTERS = 4_096;

export const isIgnored = (line: string): boolean => line === "" || /^[#;]/.test(line);

/** `@` at the beginning of a file's line suppresses its echo. */
export const withoutAt = (line: string): string => (line.startsWith("@") ? line.slice(1).trim() : line);

/** Returns the lines of a file without comments and empty lines, trimmed. */
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

/** Marks the next line as running. */
export function nextLine(startup: StartupState, nowUs: number): void {
  startup.lines = startup.lines.slice(1);
  startup.begunUs = nowUs;
  startup.sinceUs = nowUs;
  startup.ranUs = 0;
  startup.steps = 0;
  startup.restarts = 0;
}

/** Returns the state to save for a script that may be in the middle of a line. */
export function suspendStartup({ sinceUs, ...startup }: StartupState, nowUs: number): StartupState {
  if (sinceUs === undefined || startup.lines.length === 0) return startup;
  return { ...startup, ranUs: (startup.ranUs ?? 0) + nowUs - sinceUs };
}

/**
 * Counts a restart of the running line, unless a restart loses no progress.
 * @returns the line if it was cut off too often; the PC skips it.
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

/** Appends to the recorded output. Truncates only occasionally, because it is called for every text. */
export function recordOutput(startup: StartupState, text: string): void {
  const output = startup.output + text;
  startup.output = output.length > 2 * OUTPUT_MAX_CHARACTERS ? tailOf(output) : output;
}

/** Returns the last characters of the output, starting at the beginning of a line. */
export function tailOf(output: string): string {
  if (output.length <= OUTPUT_MAX_CHARACTERS) return output;
  const tail = output.slice(-OUTPUT_MAX_CHARACTERS);
  return tail.slice(tail.indexOf("\n") + 1);
}

/** @param state the PC's saved state, from this or an earlier release; undefined for a PC that never ran. */
export function startupReport(state: Pick<PcState, "startup"> | undefined): StartupReport {
  const startup = state?.startup;
  if (startup === undefined) return { status: "none", output: "", remaining: [] };
  const { lines, output } = startup;
  return { status: lines.length > 0 ? "running" : "done", output: tailOf(output), remaining: lines };
}
