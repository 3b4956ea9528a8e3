/** Commands of syslog. */
import type { RouterCommands } from "../base/command.ts";
import type { Parts } from "../base/parts.ts";
import { SYSLOG_CONFIGURE } from "./configure.ts";

export function showSyslog({ core }: Parts): readonly string[] {
  const { syslog } = core.running;
  if (syslog === undefined) return ["Syslog is not configured"];
  const { servers, facility, severity } = syslog;
  return [
    `Servers: ${servers.join(" ") || "none"}`,
    `Facility: ${facility}; severity: ${severity} and more severe`,
  ];
}

export const SYSLOG_COMMANDS: RouterCommands = [
  ...SYSLOG_CONFIGURE,
  { head: "show syslog", meaning: "settings of the reports to servers", run: showSyslog },
];
