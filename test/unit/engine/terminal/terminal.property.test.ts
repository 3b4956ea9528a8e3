import { feed, makeTerminal, type TerminalState } from "@wirelab/engine/terminal/terminal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Screen } from "../../../helpers/engine/screen.ts";

const PROMPT = "PC1> ";

/** Any bytes, with what the terminal understands more frequent than by chance. */
const input = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.stringMatching(/^[ a-c?]{1,4}$/) },
      {
        weight: 4,
        arbitrary: fc.constantFrom(
          ..."\r\n\0\b\t\x01\x02\x03\x04\x05\x06\x0b\x0c\x0e\x10\x15\x17\x1b\x7f",
          ...[
            "\r\n",
            "\x1b[A",
            "\x1b[B",
            "\x1b[C",
            "\x1b[D",
            "\x1b[H",
            "\x1b[F",
            "\x1b[3~",
            "\x1bOA",
            "\x1b[1;5",
          ],
          ...["\xff\xfb\x01", "\xff\xfa\x18", "\xff\xf0", "\xff", "é", "😀"],
        ),
      },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 3 }) },
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));

/** Feeds a terminal whose device prints the entered line in brackets. */
function typeAll(texts: readonly string[]): { state: TerminalState; lines: string[]; printed: string } {
  let state = makeTerminal(["a b", "c"]);
  let printed = PROMPT;
  const lines: string[] = [];
  for (const text of texts) {
    const fed = feed(state, text, PROMPT);
    // As between two messages of a connection.
    state = JSON.parse(JSON.stringify(fed.state));
    for (const { screen, line } of fed.entered) {
      printed += `${screen}<${line}>\r\n${PROMPT}`;
      lines.push(line);
    }
    printed += fed.screen;
  }
  return { state, lines, printed };
}

function split(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
}

test("state, lines and screen do not depend on how the input is split", () => {
  fc.assert(
    fc.property(input, fc.array(fc.nat(), { maxLength: 8 }), (text, cuts) => {
      expect(typeAll(split(text, cuts))).toEqual(typeAll([text]));
    }),
  );
});

test("the screen shows the prompt, the edited line, and the cursor in its place", () => {
  fc.assert(
    fc.property(input, (text) => {
      const { state, printed } = typeAll([text]);
      const { line, cursor } = state.edited;
      const shown = new Screen().print(printed).line;
      expect(shown).toBe(`${PROMPT}${line.slice(0, cursor)}|${line.slice(cursor).trimEnd()}`);
    }),
  );
});

test("lines are printable ASCII, and the state stays small", () => {
  fc.assert(
    fc.property(fc.array(input, { maxLength: 20 }), (texts) => {
      const { state, lines } = typeAll(texts);
      for (const line of [...lines, state.edited.line]) expect(line).toMatch(/^[ -~]{0,1000}$/);
      expect(state.history.lines.length).toBeLessThanOrEqual(50);
      expect(state.input.pending.length).toBeLessThanOrEqual(64);
    }),
  );
});
