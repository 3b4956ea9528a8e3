/** `echo TEXT`. */
import type { Invocation } from "./invocation.ts";
import { coloured } from "./terminal-text.ts";

/** Keeps spaces and quotes. Prints no line end, because the prompt begins with one. */
export function echo({ host, line }: Invocation): string {
  const text = line.replace(/^\S+\s?/, "");
  const { foreground, background } = host.state.settings;
  return coloured(text, foreground, background);
}
