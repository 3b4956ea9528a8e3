/** `set echo`: whether a file's commands are shown, and the colours of `echo`. */
import type { PcState } from "../state.ts";
import { bold, COLOURS, DEFAULT_COLOUR } from "./terminal-text.ts";

const INCOMPLETE = "Incomplete command.\n";

/** `on`, `off` and `color` may stand in capitals; `color` may follow `on` or `off`. @returns what is printed. */
export function setEcho(state: PcState, words: readonly string[]): string {
  const [first, ...rest] = words.map((word) => word.toLowerCase());
  if (first === undefined) return INCOMPLETE;
  if (first === "on" || first === "off") state.settings.echo = first === "on";
  if (first === "color") setColours(state, rest);
  else if (rest[0] === "color") setColours(state, rest.slice(1));
  return "";
}

/** None, or more than two, change nothing. */
function setColours({ settings }: PcState, words: readonly string[]): void {
  const [foreground, background] = words;
  if (foreground === undefined || words.length > 2) return;
  settings.foreground = colourNamed(foreground);
  if (background !== undefined) settings.background = colourNamed(background);
  else if (foreground === "clear") settings.background = DEFAULT_COLOUR;
}

/** The colour that a word begins with; the terminal's own for any other word. */
const colourNamed = (word: string): string =>
  COLOURS.find((colour) => word.startsWith(colour)) ?? DEFAULT_COLOUR;

export const echoText = ({ settings }: PcState): string => `
Echo ${bold(settings.echo ? "On" : "Off")}
Foreground color: ${settings.foreground}
Background color: ${settings.background}
`;
