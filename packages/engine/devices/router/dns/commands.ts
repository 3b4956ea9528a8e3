/** `dns ...`, `no dns ...` and `show dns`. */
import { DNS_A, DNS_AAAA, DNS_CNAME, DNS_PTR, RCODE_NO_SUCH_NAME } from "../../../wire/dns.ts";
import { type RouterCommands, withWords } from "../command.ts";
import { change } from "../configure.ts";
import type { Parts } from "../parts.ts";
import { formatTable } from "../text-table.ts";
import type { CachedAnswer } from "./cache.ts";
import type { Dns } from "./dns.ts";
import { type DnsProperties, normalName } from "./settings.ts";

type Lines = readonly string[];
/** @returns undefined for words that are not a command. */
type Edit = (dns: DnsProperties, args: readonly string[]) => DnsProperties | undefined;

const LINES = [
  ["host", "NAME ADDR [ADDR]", "NAME", "a name with its addresses, and the name of these addresses"],
  ["alias", "NAME TARGET", "NAME", "another name for a name"],
  ["zone", "NAME", "NAME", "names below this one exist only if they are configured here"],
  ["server", "ADDR", "ADDR", "a server that is asked for all other names"],
  ["ttl", "SECONDS", undefined, "how long others keep what is configured here (300)"],
] as const;

const USAGE = LINES.map(([what, syntax]) => `dns ${what} ${syntax}`);

const EDITS: Readonly<Record<string, Edit>> = Object.assign(Object.create(null), {
  host: (dns, [name, ...addresses]) =>
    name === undefined || addresses.length === 0
      ? undefined
      : { ...dns, hosts: { ...dns.hosts, [normalName(name) ?? name]: addresses } },
  alias: (dns, [name, target, ...rest]) =>
    name === undefined || target === undefined || rest.length > 0
      ? undefined
      : { ...dns, aliases: { ...dns.aliases, [normalName(name) ?? name]: target } },
  zone: (dns, args) => (args.length === 1 ? { ...dns, zones: [...(dns.zones ?? []), args[0]!] } : undefined),
  server: (dns, args) =>
    args.length === 1 ? { ...dns, servers: [...(dns.servers ?? []), args[0]!] } : undefined,
  ttl: (dns, [seconds = "", ...rest]) =>
    rest.length > 0 || !/^\d{1,9}$/.test(seconds) ? undefined : { ...dns, ttl_seconds: Number(seconds) },
} satisfies Record<string, Edit>);

const REMOVALS: Readonly<Record<string, Edit>> = Object.assign(Object.create(null), {
  host(dns, args) {
    const hosts = withoutName(dns.hosts, args);
    return hosts && { ...dns, hosts };
  },
  alias(dns, args) {
    const aliases = withoutName(dns.aliases, args);
    return aliases && { ...dns, aliases };
  },
  zone(dns, args) {
    const zones = withoutValue(dns.zones, args);
    return zones && { ...dns, zones };
  },
  server(dns, args) {
    const servers = withoutValue(dns.servers, args);
    return servers && { ...dns, servers };
  },
  ttl: ({ ttl_seconds: _, ...dns }, args) => (args.length === 0 ? dns : undefined),
} satisfies Record<string, Edit>);

/** Undefined if the name is not there. Words after the name are what it had: they are not read. */
function withoutName<T>(
  map: Record<string, T> = {},
  [name = ""]: readonly string[],
): Record<string, T> | undefined {
  const key = normalName(name) ?? name;
  if (!Object.hasOwn(map, key)) return undefined;
  return Object.fromEntries(Object.entries(map).filter(([each]) => each !== key));
}

function withoutValue(list: readonly string[] = [], args: readonly string[]): string[] | undefined {
  const kept = list.filter((each) => each !== args[0]?.toLowerCase());
  return args.length === 1 && kept.length < list.length ? kept : undefined;
}

export function dnsCommand(parts: Parts, [what, ...args]: readonly string[]): Lines {
  return change(parts, (properties) => {
    const { dns = {} } = properties;
    if (what === undefined) return { ...properties, dns };
    const edited = EDITS[what.toLowerCase()]?.(dns, args);
    return edited === undefined ? `Usage: ${USAGE.join(" | ")}` : { ...properties, dns: edited };
  });
}

export function noDnsCommand(parts: Parts, [what, ...args]: readonly string[]): Lines {
  return change(parts, ({ dns, ...others }) => {
    if (dns === undefined) return "DNS is not configured";
    if (what === undefined) return others;
    const edited = REMOVALS[what.toLowerCase()]?.(dns, args);
    return edited === undefined
      ? `There is no such line: dns ${[what, ...args].join(" ")}`
      : { ...others, dns: edited };
  });
}

export function clearDns({ services }: Parts): Lines {
  services.find<Dns>("dns")?.clear();
  return [];
}

const TYPE_NAMES: Readonly<Record<number, string>> = {
  [DNS_A]: "A",
  [DNS_AAAA]: "AAAA",
  [DNS_CNAME]: "CNAME",
  [DNS_PTR]: "PTR",
};

export function showDns({ core, services }: Parts): Lines {
  const { dns } = core.running;
  if (dns === undefined) return ["DNS is not configured"];
  const cached = services.find<Dns>("dns")?.cached() ?? [];
  const rows = cached.map((each) => cacheRow(each, core.world.nowUs));
  return [
    `Names: ${Object.keys(dns.hosts).length} hosts, ${Object.keys(dns.aliases).length} aliases, live ${dns.ttlSeconds} s`,
    `Zones: ${dns.zones.join(" ") || "none"}`,
    `Servers: ${dns.servers.join(" ") || "none"}`,
    ...(rows.length === 0
      ? ["No answers of other servers"]
      : formatTable(["Name", "Type", "Answer", "Ends in"], rows)),
  ];
}

function cacheRow({ name, type, rcode, answers, expiresUs }: CachedAnswer, nowUs: number): string[] {
  const values = answers.map(({ value }) => value).join(" ") || "no records";
  return [
    name,
    TYPE_NAMES[type] ?? String(type),
    rcode === RCODE_NO_SUCH_NAME ? "no such name" : values,
    `${Math.ceil((expiresUs - nowUs) / 1_000_000)} s`,
  ];
}

export const DNS_COMMANDS: RouterCommands = [
  {
    head: "dns",
    meaning: "answer questions for names; no dns ends it, and no before a line takes it back",
    run: dnsCommand,
    checksWords: true,
  },
  ...LINES.map(([what, syntax, , meaning]) => ({
    head: `dns ${what}`,
    syntax: what === "host" ? "NAME ADDR..." : syntax,
    usage: `dns ${what} ${syntax}`,
    meaning,
    run: withWords(dnsCommand, what),
    checksWords: true as const,
  })),
  {
    head: "no dns",
    meaning: "answer no questions for names",
    run: noDnsCommand,
    checksWords: true,
    unlisted: true,
  },
  ...LINES.map(([what, , named, meaning]) => ({
    head: `no dns ${what}`,
    ...(named && { syntax: named }),
    meaning,
    run: withWords(noDnsCommand, what),
    checksWords: true as const,
    unlisted: true as const,
  })),
  {
    head: "show dns",
    meaning: "what is configured, and the answers of other servers that are kept",
    run: showDns,
  },
  { head: "clear dns", meaning: "forget these answers", run: clearDns },
];
