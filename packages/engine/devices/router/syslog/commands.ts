/** `syslog ...`, `no syslog ...` and `show syslog`. */

import { type RouterCommands, withWords } from "../command.ts";
import { change } from "../configure.ts";
import type { Parts } from "../parts.ts";
import type { SyslogProperties } from "./settings.ts";

type Lines = readonly string[];

const USAGE = ["server ADDR", "facility N", "severity N"].map((words) => `syslog ${words}`);

export function syslogCommand(parts: Parts, [what, value = "", ...rest]: readonly string[]): Lines {
  return change(parts, ({ syslog = {}, ...others }) => {
    const edited =
      what === undefined ? syslog : rest.length > 0 ? undefined : edit(syslog, what.toLowerCase(), value);
    return edited === undefined ? `Usage: ${USAGE.join(" | ")}` : { ...others, syslog: edited };
  });
}

function edit(syslog: SyslogProperties, what: string, value: string): SyslogProperties | undefined {
  if (what === "server" && value !== "") return { ...syslog, servers: [...(syslog.servers ?? []), value] };
  if (!/^\d{1,9}$/.test(value)) return undefined;
  if (what === "facility") return { ...syslog, facility: Number(value) };
  return what === "severity" ? { ...syslog, severity: Number(value) } : undefined;
}

export function noSyslogCommand(parts: Parts, [what, server, ...rest]: readonly string[]): Lines {
  return change(parts, ({ syslog, ...others }) => {
    if (syslog === undefined) return "Syslog is not configured";
    if (what === undefined) return others;
    const { servers = [] } = syslog;
    const kept = servers.filter((each) => each !== server);
    if (what.toLowerCase() !== "server" || rest.length > 0 || kept.length === servers.length)
      return "Usage: no syslog [server ADDR], with a server that is configured";
    return { ...others, syslog: { ...syslog, servers: kept } };
  });
}

export function showSyslog({ core }: Parts): Lines {
  const { syslog } = core.running;
  if (syslog === undefined) return ["Syslog is not configured"];
  const { servers, facility, severity } = syslog;
  return [
    `Servers: ${servers.join(" ") || "none"}`,
    `Facility: ${facility}; severity: ${severity} and more severe`,
  ];
}

export const SYSLOG_COMMANDS: RouterCommands = [
  {
    head: "syslog",
    meaning: "report to the servers that are configured",
    run: syslogCommand,
    checksWords: true,
    unlisted: true,
  },
  {
    head: "syslog server",
    syntax: "ADDR",
    meaning: "report ports, leases and logged packets to a server",
    run: withWords(syslogCommand, "server"),
    checksWords: true,
  },
  {
    head: "syslog facility",
    syntax: "N",
    meaning: "the facility of the messages, 0 to 23 (23, local7)",
    run: withWords(syslogCommand, "facility"),
    checksWords: true,
  },
  {
    head: "syslog severity",
    syntax: "N",
    meaning: "the least severe messages that are sent, 0 to 7 (6)",
    run: withWords(syslogCommand, "severity"),
    checksWords: true,
  },
  {
    head: "no syslog",
    syntax: "[server ADDR]",
    meaning: "end it, or the reports to one server",
    run: noSyslogCommand,
    checksWords: true,
  },
  { head: "show syslog", meaning: "settings of the reports to servers", run: showSyslog },
];
