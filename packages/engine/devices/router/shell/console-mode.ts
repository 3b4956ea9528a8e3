/** The mode of a router's console: what the prompt shows. `configuration-mode.ts` has the commands of each. */
import type { RouterConfig } from "../services/base/config.ts";
import { peerWords } from "../services/bfd/peer-words.ts";

/** Configuration mode, or one inside of it. */
export type ConsoleMode =
  | { readonly kind: "config" }
  | { readonly kind: "interface"; readonly name: string }
  | { readonly kind: "rip" | "ospf" | "bgp" | "bgp-ipv4" | "bfd" }
  | { readonly kind: "route-map"; readonly name: string; readonly seq: number }
  /** The name of a profile, or the words of a peer. */
  | { readonly kind: "bfd profile" | "bfd peer"; readonly name: string };

const PROMPT_ENDS: Readonly<Record<ConsoleMode["kind"], string>> = {
  config: "(config)#",
  interface: "(config-if)#",
  rip: "(config-router)#",
  ospf: "(config-router)#",
  "route-map": "(config-route-map)#",
  bgp: "(config-router)#",
  "bgp-ipv4": "(config-router-af)#",
  bfd: "(config-bfd)#",
  "bfd profile": "(config-bfd-profile)#",
  "bfd peer": "(config-bfd-peer)#",
};

/** The protocols whose configuration modes are of. */
const PROTOCOLS = { rip: "rip", ospf: "ospf", bgp: "bgp", "bgp-ipv4": "bgp", bfd: "bfd" } as const;

/** Returns the mode; without the interface or the protocol that is configured, that around it. */
export function presentMode(running: RouterConfig, mode: ConsoleMode | undefined): ConsoleMode | undefined {
  if (mode === undefined || mode.kind === "config") return mode;
  if (isThere(running, mode)) return mode;
  const isInBfd = mode.kind === "bfd profile" || mode.kind === "bfd peer";
  return isInBfd && running.bfd !== undefined ? { kind: "bfd" } : { kind: "config" };
}

function isThere(running: RouterConfig, mode: Exclude<ConsoleMode, { readonly kind: "config" }>): boolean {
  const { ports, interfaces = [], routeMaps = [], bfd } = running;
  switch (mode.kind) {
    case "interface":
      return [...ports, ...interfaces].some(({ name }) => name === mode.name);
    case "route-map":
      return routeMaps.some(({ name, seq }) => name === mode.name && seq === mode.seq);
    case "bfd profile":
      return bfd?.profiles[mode.name] !== undefined;
    case "bfd peer":
      return bfd?.peers.some((each) => peerWords(each).join(" ") === mode.name) === true;
    default:
      return running[PROTOCOLS[mode.kind]] !== undefined;
  }
}

/** What follows the router's name in the prompt. */
export const promptEndOf = (mode: ConsoleMode | undefined): string =>
  mode === undefined ? ">" : PROMPT_ENDS[mode.kind];
