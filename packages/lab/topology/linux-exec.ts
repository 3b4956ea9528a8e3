/** Reads the commands that configure a Linux host: `ip addr`, `ip route`, `ip link set up`, forwarding. Reports all others. */
import type { Path, Problems } from "../file/problem.ts";

export interface LinuxConfig {
  /** Addresses with prefix length, by interface. */
  readonly addresses: ReadonlyMap<string, readonly string[]>;
  readonly routes: readonly { readonly to: string; readonly via: string }[];
  readonly isForwarding: boolean;
}

interface Draft {
  readonly addresses: Map<string, string[]>;
  routes: { to: string; via: string }[];
  isForwarding: boolean;
}

/** A shell that runs a list of commands. */
const SHELL = /^(?:\/bin\/)?(?:ba|a)?sh -c (["'])([\s\S]*)\1$/;
/** A ping belongs into `expect`; the others print, wait, or change nothing that a lab shows. None may write a file. */
const IGNORED =
  /^(?:(?:ping6?|echo|sleep|cat)\b[^<>|&`$]*|true|ethtool -K [^<>|&`$]*|ip (?:-[46] )?(?:addr|address|a|link|route|r)(?: show| list)?)$/;
const LINK_UP = /^ip link set (?:dev )?\S+ up$/;
const FORWARDING =
  /^sysctl (?:-w )?net\.(?:ipv4\.ip_forward|ipv4\.conf\.all\.forwarding|ipv6\.conf\.all\.forwarding) ?= ?([01])$/;
const FORWARDING_FILE =
  /^echo ([01]) ?> ?\/proc\/sys\/net\/(?:ipv4\/ip_forward|ipv6\/conf\/all\/forwarding)$/;
const ADDRESS = /^ip (?:-[46] )?(?:addr|address|a) add (?:dev (\S+) (\S+)|(\S+) dev (\S+))$/;
const ROUTE = /^ip (?:-([46]) )?(?:route|r) (add|replace|append) (\S+) via (\S+)(?: dev (\S+))?$/;
/** The default route of the management network, which a lab does not have, or one that a command before has added. */
const NO_DEFAULT = /^ip (?:-[46] )?(?:route|r) del default\b/;
const DEFAULT_4 = "0.0.0.0/0";
const DEFAULT_6 = "::/0";

/** A router with one port is a host with routes that a PC cannot have. */
export const standsForHost = ({ type, ports }: Readonly<Record<string, unknown>>): boolean =>
  type === "router" && Array.isArray(ports) && ports.length === 1;

/** Whether a device with a default gateway and no other routes has them all. A PC learns its IPv6 gateway from the router. */
export const hasOnlyDefault = (routes: LinuxConfig["routes"]): boolean =>
  routes.length === 0 || (routes.length === 1 && routes[0]!.to === DEFAULT_4);

/** @param interfaces those that have links. */
export function readExec(
  commands: readonly { readonly text: string; readonly path: Path }[],
  interfaces: ReadonlySet<string>,
  problems: Problems,
): LinuxConfig {
  const draft: Draft = { addresses: new Map(), routes: [], isForwarding: true };
  for (const { text, path } of commands) {
    for (const command of split(text)) {
      const problem = perform(command, interfaces, draft);
      if (problem) problems.add(path, `cannot be run here: ${JSON.stringify(command)}${problem}`);
    }
  }
  return draft;
}

function split(text: string): string[] {
  const inner = SHELL.exec(text.trim())?.[2] ?? text;
  return inner
    .split(/&&|;|\n/)
    .map((command) => command.trim().replaceAll(/\s+/g, " "))
    .filter((command) => command !== "");
}

/** @returns what is wrong with the command. */
function perform(command: string, interfaces: ReadonlySet<string>, draft: Draft): string | undefined {
  if (IGNORED.test(command) || LINK_UP.test(command)) return undefined;
  if (NO_DEFAULT.test(command)) {
    const family = command.includes(" -6 ") ? DEFAULT_6 : DEFAULT_4;
    draft.routes = draft.routes.filter(({ to }) => to !== family);
    return undefined;
  }
  const forwarding = FORWARDING.exec(command) ?? FORWARDING_FILE.exec(command);
  if (forwarding) {
    draft.isForwarding &&= forwarding[1] === "1";
    return undefined;
  }
  const address = ADDRESS.exec(command);
  if (address) {
    const [, devA, prefixA, prefixB, devB] = address;
    return addAddress((devA ?? devB)!, (prefixA ?? prefixB)!, interfaces, draft);
  }
  const route = ROUTE.exec(command);
  if (route === null)
    return ". Commands that can: ip addr add, ip route add, ip link set up, sysctl for forwarding.";
  const [, family, verb, given, via, device] = route;
  if (device !== undefined && !interfaces.has(device)) return `: ${device} has no link.`;
  const isV6 = family === "6" || via!.includes(":");
  const to = given === "default" ? (isV6 ? DEFAULT_6 : DEFAULT_4) : given!;
  if (verb === "replace") draft.routes = draft.routes.filter((each) => each.to !== to);
  // Linux joins appended routes of IPv6; of IPv4 ones it uses the first, which a router here does not.
  else if ((verb === "add" || !isV6) && draft.routes.some((each) => each.to === to))
    return `: there is a route to ${to} already.`;
  draft.routes.push({ to, via: via! });
  return undefined;
}

function addAddress(
  device: string,
  prefix: string,
  interfaces: ReadonlySet<string>,
  { addresses }: Draft,
): string | undefined {
  if (!interfaces.has(device)) return `: ${device} has no link.`;
  if (!prefix.includes("/")) return ": an address needs a prefix length.";
  addresses.set(device, [...(addresses.get(device) ?? []), prefix]);
  return undefined;
}
