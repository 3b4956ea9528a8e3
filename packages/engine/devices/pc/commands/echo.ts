/** `echo TEXT`. */
import type { Invocation } from "./invocation.ts";
import { coloured } from "./terminal-text.ts";

/** Spaces and quotes are kept. There is no line end: the prompt brings one. */
export function echo({ host, line }: Invocation): string {
  const text = line.replace(/^\S+\s?/, "");
  const { foreground, background } = host.state.settings;
  return coloured(text, foreground, background);
}
