/** The commands that configure syslog. */
import { serviceCommands } from "../base/service-commands.ts";
import { SYSLOG } from "./settings.ts";

export const SYSLOG_CONFIGURE = serviceCommands("syslog", SYSLOG);
