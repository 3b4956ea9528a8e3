/** Commands of the DNS server. */

import { formatTable } from "../../../../base/text-table.ts";
import { DNS_A, DNS_AAAA, DNS_CNAME, DNS_PTR, RCODE_NO_SUCH_NAME } from "../../../../wire/dns.ts";
import type { RouterCommands } from "../base/command.ts";
import type { Parts } from "../base/parts.ts";
import type { CachedAnswer } from "./cache.ts";
import { DNS_CONFIGURE } from "./configure.ts";
import type { Dns } from "./dns.ts";

type Lines = readonly string[];

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
  ...DNS_CONFIGURE,
  {
    head: "show dns",
    meaning: "what is configured, and the answers of other servers that are kept",
    run: showDns,
  },
  { head: "clear dns", meaning: "forget these answers", run: clearDns },
];
