/** The console of a router. */
import { CommandConsole } from "../../console/command-console.ts";
import type { Parts } from "../services/base/parts.ts";
import { modeOf } from "./configuration-mode.ts";
import { routerWords } from "./words.ts";

export const makeRouterConsole = (name: string, parts: Parts): CommandConsole<Parts> =>
  new CommandConsole(name, {
    target: parts,
    mode: () => modeOf(parts.core.running, parts.session.mode),
    vocabulary: () => routerWords(parts.core.running),
    print: (text) => parts.core.world.print(text),
  });
