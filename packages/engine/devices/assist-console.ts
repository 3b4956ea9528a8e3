/** What `?` and TAB do at the console of a device: derived from the saved state, without a run. */
import type { Assistant } from "../terminal/assistant.ts";
import type { Described } from "./console/assist.ts";
import { completionsInMode, helpInMode, type Mode } from "./console/command-console.ts";
import type { DeviceSpec } from "./readers.ts";
import type { RouterState } from "./router/index.ts";
import { modeOf } from "./router/shell/configuration-mode.ts";
import { routerWords } from "./router/shell/words.ts";
import { SERVER_COMMANDS } from "./server/commands.ts";
import { serverWords } from "./server/words.ts";

/**
 * @param state the device's saved state; undefined for a device that never ran.
 * @returns undefined for devices whose consoles take `?` for a character and ignore TAB.
 */
export function assistConsole(spec: DeviceSpec, state: unknown): Assistant | undefined {
  if (spec.type === "server") return assist({ promptEnd: ">", layers: [SERVER_COMMANDS] }, serverWords);
  if (spec.type !== "router") return undefined;
  const { running = spec, consoleMode } = (state ?? {}) as Partial<RouterState>;
  return assist(modeOf(running, consoleMode), routerWords(running));
}

const assist = <T>(mode: Mode<T>, vocabulary: Described): Assistant => ({
  help: (line) => helpInMode(mode, line, vocabulary),
  complete: (line) => completionsInMode(mode, line, vocabulary),
});
