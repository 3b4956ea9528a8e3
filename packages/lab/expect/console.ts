/** `console`: what a node's console printed on the timeline. */
import { type MakeCheck, passes } from "./check.ts";

const SHOWN_LINES = 12;

export const consoleOutput: MakeCheck<"console"> = (
  { node, matches, shown },
  { atNs, withinNs, sinceNs },
) => ({
  judge({ timeline }) {
    const untilNs = withinNs === undefined ? (atNs ?? Number.POSITIVE_INFINITY) : sinceNs + withinNs;
    const text = timeline.sessions
      .filter(({ nodeId }) => nodeId === node)
      .flatMap(({ printed }) => printed)
      .filter((each) => each.atNs <= untilNs)
      .map((each) => each.text)
      .join("");
    const lines = text.trimEnd().split("\n");
    return {
      status: passes(matches.test(text)),
      expected: `output that matches ${shown}`,
      got:
        text === ""
          ? "no output: no event of run types at its console"
          : `\n${lines.slice(-SHOWN_LINES).join("\n")}`,
    };
  },
});
