/** `set echo`: selects whether a file's commands are echoed, and the colours of `echo`. */
import type { PcState } from "../state.ts";
import { bold, COLOURS, DEFAULT_COLOUR } from "./terminal-text.ts";

const INCOMPLETE = "Incomplete command.\n";

/** Accepts `on`, `off` and `color` in any case; `color` may follow `on` or `off`. @returns the output. */
export function setEcho(state: PcState, words: readonly string[]): string {
  const [first, ...rest] = words.map((word) => word.toLowerCase());
  if (first === undefined) return INCOMPLETE;
  if (first === "on" || first === "off") state.settings.echo = first === "on";
  if (first === "color") setColours(state, rest);
  else if (rest[0] === "color") setColours(state, rest.slice(1));
  return "";
}

/** Changes nothing if there are no words or more than two. */
function setColours({ settings }: PcState, words: readonly string[]): void {
  const [foreground, background] = words;
  if (foreground === undefined || words.length > 2) return;
  settings.foreground = colourNamed(foreground);
  if (background !== undefined) settings.background = colourNamed(background);
  else if (foreground === "clear") settings.background = DEFAULT_COLOUR;
}

/** Returns the colour that a word begins with; the terminal's default for any other word. */
const colourNamed = (word: string): string =>
  COLOURS.find((colour) => word.startsWith(colour)) ?? DEFAULT_COLOUR;

export const echoText = ({ settings }: PcState): string => `
Echo ${bold(settings.echo ? "On" : "Off")}
Foreground color: ${settings.foreground}
Background color: ${settings.background}
`;
