/**
 * The programs that a node runs one after another at its start. What fails is printed in a line of its own, by which the device finds it: the place
 * that asks for it, the command, its exit status and the end of its output.
 */
import type { LinuxSpec, Step } from "@wirelab/engine/devices/linux/spec";
import { quote } from "./quote.ts";

const MARK = "wirelab: ";
const SHOWN_LINES = 4;
/** How long the start waits for the end of the main program, in tenths of a second. */
const MAIN_TENTHS = 20;

/** Shell functions: `report PLACE COMMAND CODE FILE`, `step PLACE WORD...`, `main PLACE WORD...`. */
const FUNCTIONS = `report() { [ "$3" = 0 ] || printf '${MARK}%s: \`%s\` ended with the exit status %s: %s\n' "$1" "$2" "$3" "$(tail -n ${SHOWN_LINES} "$4" | tr '\n' ' ')"; }
step() { at=$1; shift; "$@" < /dev/null > /tmp/.step 2>&1; code=$?; cat /tmp/.step; report "$at" "$*" "$code" /tmp/.step; }
main() { at=$1; shift; "$@" < /dev/null > /run/main.log 2>&1 & main=$!; n=0
  while kill -0 $main 2> /dev/null && [ $n -lt ${MAIN_TENTHS} ]; do sleep 0.1; n=$((n + 1)); done
  kill -0 $main 2> /dev/null || { wait $main; code=$?; cat /run/main.log; report "$at" "$*" "$code" /run/main.log; }; }`;

export function stepLines({ main, steps = [] }: LinuxSpec): string[] {
  if (main === undefined && steps.length === 0) return [];
  const call = (name: string, { run, place }: Step): string =>
    [name, quote(place), ...run.map(quote)].join(" ");
  return [
    FUNCTIONS,
    ...(main === undefined ? [] : [call("main", main)]),
    ...steps.map((step) => call("step", step)),
    // The script has the exit status of its last command, and each step has reported its own.
    "true",
  ];
}

/** The lines of a start's output that report programs that have failed. */
export const failuresIn = (output: string): string[] =>
  output.split("\n").flatMap((line) => (line.startsWith(MARK) ? [line.slice(MARK.length).trimEnd()] : []));
