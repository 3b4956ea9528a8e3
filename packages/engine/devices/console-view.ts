/** What a terminal shows of a device's console before the first line is typed: derived from the saved state, without a run. */
import { versionText } from "./pc/commands/version.ts";
import type { PcState } from "./pc/index.ts";
import { startupReport } from "./pc/startup.ts";
import { NAME_MAX_CHARACTERS } from "./pc/state.ts";
import type { RouterState } from "./router/index.ts";
import { presentMode, promptEndOf } from "./router/shell/console-mode.ts";

export interface ConsoleView {
  /** What the console has printed since power-on, with a hint; lines end with `\n`. */
  readonly greeting: string;
  readonly prompt: string;
  /** The lines that were typed before, the oldest first. */
  readonly history: readonly string[];
}

const promptEnd = (state: RouterState | undefined): string =>
  promptEndOf(state && presentMode(state.running, state.consoleMode));

/**
 * @param name the node's name.
 * @param state the device's saved state; undefined for a device that never ran.
 * @returns undefined for devices without a console.
 */
export function viewConsole(type: string, name: string, state: unknown): ConsoleView | undefined {
  if (type === "router" || type === "server")
    return {
      greeting: "\nType help for the commands.\n",
      prompt: `${name}${type === "router" ? promptEnd(state as RouterState | undefined) : ">"} `,
      history: [],
    };
  if (type === "linux") {
    const { prompt } = (state ?? { prompt: `${name}# ` }) as { readonly prompt: string };
    return { greeting: "\nThe console is a shell.\n", prompt, history: [] };
  }
  if (type !== "vpcs") return undefined;
  const pc = state as PcState | undefined;
  return {
    greeting: `${versionText()}\nPress '?' to get help.\n${startupReport(pc).output}`,
    prompt: `${pc?.name ?? name.slice(0, NAME_MAX_CHARACTERS)}> `,
    history: pc?.history ?? [],
  };
}
