/** `set echo`: whether a file's commands are shown, and the colours of `echo`. */
import type { PcState } from "../state.ts";
import { keywordOf } from "./keyword.ts";
import { bold, COLOURS, DEFAULT_COLOUR } from "./terminal-text.ts";

const INCOMPLETE = "Incomplete command.\n";

/** @returns what is printed. Other words than those known say and do nothing. */
export function setEcho(state: PcState, [word, ...colours]: readonly string[]): string {
  if (word === undefined) return INCOMPLETE;
  if (word === "color") return setColours(state, colours);
  if (word === "on" || word === "off") state.settings.echo = word === "on";
  return "";
}

function setColours({ settings }: PcState, [first, second]: readonly string[]): string {
  if (first === undefined) return INCOMPLETE;
  const foreground = keywordOf(first, ["clear", ...COLOURS]);
  const background = second === undefined ? settings.background : keywordOf(second, COLOURS);
  if (foreground === undefined || background === undefined) return "Invalid options\n";
  const isCleared = foreground === "clear";
  settings.foreground = isCleared ? DEFAULT_COLOUR : foreground;
  settings.background = isCleared ? DEFAULT_COLOUR : background;
  return "";
}

export const echoText = ({ settings }: PcState): string => `
Echo ${bold(settings.echo ? "On" : "Off")}
Foreground color: ${settings.foreground}
Background color: ${settings.background}
`;
