/** Commands of syslog. */
import type { RouterCommands } from "../base/command.ts";
import type { Parts } from "../base/parts.ts";
import { serviceCommands } from "../base/service-commands.ts";
import { SYSLOG } from "./settings.ts";

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
  ...serviceCommands("syslog", SYSLOG),
  { head: "show syslog", meaning: "settings of the reports to servers", run: showSyslog },
];
