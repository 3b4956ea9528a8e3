/** The mode of a router's console: what the prompt shows. `configuration-mode.ts` has the commands of each. */
import type { RouterConfig } from "../services/base/config.ts";

/** Configuration mode, or one inside of it. */
export type ConsoleMode =
  | { readonly kind: "config" }
  | { readonly kind: "interface"; readonly name: string }
  | { readonly kind: "rip" | "ospf" };

const PROMPT_ENDS: Readonly<Record<ConsoleMode["kind"], string>> = {
  config: "(config)#",
  interface: "(config-if)#",
  rip: "(config-router)#",
  ospf: "(config-router)#",
};

/** Returns the mode; without the interface or the protocol that is configured, that around it. */
export function presentMode(running: RouterConfig, mode: ConsoleMode | undefined): ConsoleMode | undefined {
  if (mode === undefined || mode.kind === "config") return mode;
  const { ports, interfaces = [] } = running;
  const isThere =
    mode.kind !== "interface"
      ? running[mode.kind] !== undefined
      : [...ports, ...interfaces].some(({ name }) => name === mode.name);
  return isThere ? mode : { kind: "config" };
}

/** What follows the router's name in the prompt. */
export const promptEndOf = (mode: ConsoleMode | undefined): string =>
  mode === undefined ? ">" : PROMPT_ENDS[mode.kind];
