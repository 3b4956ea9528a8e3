/** `router rip ...` and `no router rip ...`: the words of FRR's configuration, one setting in a line. */
import { type RouterCommands, withWords } from "../command.ts";
import { change } from "../configure.ts";
import type { Parts } from "../parts.ts";
import { readAuthenticationWords } from "./authentication-settings.ts";
import type { RipProperties } from "./settings.ts";
import { showRip, showRipStatus } from "./show.ts";

type Lines = readonly string[];
/** @returns undefined for words that are not a command. */
type Edit = (rip: RipProperties, args: readonly string[]) => RipProperties | undefined;

/** Each line: its first word, what follows it, what follows it after `no`, and its meaning. */
const LINES = [
  ["network", "PREFIX|PORT", "PREFIX|PORT", "on ports with an address in the prefix, or on a port"],
  ["neighbor", "ADDR", "ADDR", "send updates to a neighbor, too, as unicast"],
  ["passive-interface", "PORT", "PORT", "receive updates on a port, and send none"],
  [
    "redistribute",
    "connected|static [metric N] [tag N]",
    "connected|static",
    "announce connected subnets without RIP, or static routes",
  ],
  ["default-information", "originate", "originate", "announce a default route"],
  [
    "timers",
    "basic UPDATE TIMEOUT GARBAGE",
    "basic",
    "seconds between updates (30), until a route is lost (180), and until it is forgotten (120)",
  ],
  ["split-horizon", "poisoned-reverse|simple|off", undefined, "what neighbours hear of their own routes"],
  [
    "authentication",
    "PORT text|md5|hmac-sha-1|hmac-sha-256|hmac-sha-384|hmac-sha-512 [ID] KEY...",
    "PORT",
    "take only messages with a key from a port, and send them with the first one; keys may follow, with ids except those of text",
  ],
] as const;

const USAGE = LINES.map(([what, syntax]) => `router rip ${what} ${syntax}`);

const NUMBER = /^\d{1,9}$/;

const LISTS = { network: "networks", neighbor: "neighbors", "passive-interface": "passive" } as const;

const EDITS: Readonly<Record<string, Edit>> = Object.assign(Object.create(null), {
  redistribute(rip, [source = "", ...words]) {
    const options = readPairs(words, ["metric", "tag"]);
    return options && { ...rip, redistribute: { ...rip.redistribute, [source.toLowerCase()]: options } };
  },
  "default-information": (rip, args) => (isOriginate(args) ? { ...rip, default_route: true } : undefined),
  timers(rip, [basic, ...numbers]) {
    if (basic?.toLowerCase() !== "basic" || numbers.length !== 3) return undefined;
    if (!numbers.every((each) => NUMBER.test(each))) return undefined;
    const [update_seconds, timeout_seconds, garbage_seconds] = numbers.map(Number) as [
      number,
      number,
      number,
    ];
    return { ...rip, update_seconds, timeout_seconds, garbage_seconds };
  },
  authentication(rip, [port = "", mode, ...words]) {
    const read = readAuthenticationWords(mode, words);
    return read && { ...rip, authentication: { ...withoutPort(rip, port), [port]: read } };
  },
  "split-horizon": (rip, [mode, ...rest]) =>
    mode === undefined || rest.length > 0 ? undefined : { ...rip, split_horizon: mode.toLowerCase() },
} satisfies Record<string, Edit>);

const REMOVALS: Readonly<Record<string, Edit>> = Object.assign(Object.create(null), {
  redistribute(rip, [source = "", ...rest]) {
    const { [source.toLowerCase() as "static"]: removed, ...redistribute } = rip.redistribute ?? {};
    return removed === undefined || rest.length > 0 ? undefined : { ...rip, redistribute };
  },
  "default-information": (rip, args) => (isOriginate(args) ? { ...rip, default_route: false } : undefined),
  timers(rip, [basic, ...rest]) {
    const { update_seconds: _u, timeout_seconds: _t, garbage_seconds: _g, ...others } = rip;
    return basic?.toLowerCase() === "basic" && rest.length === 0 ? others : undefined;
  },
  authentication(rip, [port = "", ...rest]) {
    const { authentication = {} } = rip;
    const kept = withoutPort(rip, port);
    const isThere = Object.keys(kept).length < Object.keys(authentication).length;
    return isThere && rest.length === 0 ? { ...rip, authentication: kept } : undefined;
  },
  "split-horizon": ({ split_horizon: _, ...rip }, args) => (args.length === 0 ? rip : undefined),
} satisfies Record<string, Edit>);

const withoutPort = ({ authentication = {} }: RipProperties, port: string) =>
  Object.fromEntries(
    Object.entries(authentication).filter(([name]) => name.toLowerCase() !== port.toLowerCase()),
  );

const isOriginate = ([word, ...rest]: readonly string[]): boolean =>
  word?.toLowerCase() === "originate" && rest.length === 0;

export function routerCommand(parts: Parts, [protocol, what, ...args]: readonly string[]): Lines {
  if (protocol?.toLowerCase() !== "rip") return [`Usage: ${["router rip", ...USAGE].join(" | ")}`];
  return change(parts, (properties) => {
    const { rip = {} } = properties;
    if (what === undefined) return { ...properties, rip };
    const edited = edit(rip, what.toLowerCase(), args);
    return edited === undefined ? `Usage: ${USAGE.join(" | ")}` : { ...properties, rip: edited };
  });
}

export function noRouterCommand(parts: Parts, [protocol, what, ...args]: readonly string[]): Lines {
  if (protocol?.toLowerCase() !== "rip") return ["Usage: no router rip [...]"];
  return change(parts, ({ rip, ...others }) => {
    if (rip === undefined) return "RIP is not configured";
    if (what === undefined) return others;
    const edited = remove(rip, what.toLowerCase(), args);
    return edited === undefined
      ? `There is no such line: router rip ${[what, ...args].join(" ")}`
      : { ...others, rip: edited };
  });
}

function edit(rip: RipProperties, what: string, args: readonly string[]): RipProperties | undefined {
  if (!Object.hasOwn(LISTS, what)) return EDITS[what]?.(rip, args);
  const key = LISTS[what as keyof typeof LISTS];
  return args.length === 1 ? { ...rip, [key]: [...(rip[key] ?? []), args[0]!] } : undefined;
}

function remove(rip: RipProperties, what: string, args: readonly string[]): RipProperties | undefined {
  if (!Object.hasOwn(LISTS, what)) return REMOVALS[what]?.(rip, args);
  const key = LISTS[what as keyof typeof LISTS];
  const before = rip[key] ?? [];
  const kept = before.filter((each) => each.toLowerCase() !== args[0]?.toLowerCase());
  return args.length === 1 && kept.length < before.length ? { ...rip, [key]: kept } : undefined;
}

/** Reads keywords that each have a number; undefined if a word is unknown. */
function readPairs(words: readonly string[], known: readonly string[]): Record<string, number> | undefined {
  const pairs: Record<string, number> = {};
  for (let at = 0; at < words.length; at += 2) {
    const [word, number] = [words[at]!.toLowerCase(), words[at + 1] ?? ""];
    if (!known.includes(word) || !NUMBER.test(number)) return undefined;
    pairs[word] = Number(number);
  }
  return pairs;
}

export const RIP_COMMANDS: RouterCommands = [
  {
    head: "router",
    syntax: "rip",
    meaning: "route with RIP version 2 (RFC 2453); no router rip ends it, and no before a line takes it back",
    run: routerCommand,
    checksWords: true,
  },
  ...LINES.map(([what, syntax, , meaning]) => ({
    head: `router rip ${what}`,
    syntax,
    meaning,
    run: withWords(routerCommand, "rip", what),
    checksWords: true as const,
  })),
  {
    head: "no router",
    syntax: "rip",
    meaning: "end RIP",
    run: noRouterCommand,
    checksWords: true,
    unlisted: true,
  },
  ...LINES.map(([what, , named, meaning]) => ({
    head: `no router rip ${what}`,
    ...(named && { syntax: named }),
    meaning,
    run: withWords(noRouterCommand, "rip", what),
    checksWords: true as const,
    unlisted: true as const,
  })),
  { head: "show ip rip", meaning: "routes of RIP, its own and learned ones", run: showRip },
  { head: "show ip rip status", meaning: "its settings, and the routers that it hears", run: showRipStatus },
];
