/** Attributes of text on a terminal (ECMA-48, SGR). */

const ESCAPE = "\x1b[";
const PLAIN = `${ESCAPE}0m`;

/** In the order of their SGR numbers. */
export const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;
/** Selects the terminal's default colour. */
export const DEFAULT_COLOUR = "default";

const FOREGROUND = 30;
const BACKGROUND = 40;

export const bold = (text: string): string => `${ESCAPE}1m${text}${PLAIN}`;
export const underline = (text: string): string => `${ESCAPE}4m${text}${PLAIN}`;

/** @param foreground, background names of colours; any other text keeps the terminal's colour. */
export function coloured(text: string, foreground: string, background: string = DEFAULT_COLOUR): string {
  const names: readonly string[] = COLOURS;
  const codes = [
    [FOREGROUND, names.indexOf(foreground)],
    [BACKGROUND, names.indexOf(background)],
  ] as const;
  const used = codes.filter(([, index]) => index >= 0).map(([base, index]) => base + index);
  return used.length === 0 ? text : `${ESCAPE}${used.join(";")}m${text}${PLAIN}`;
}
