/** The commands that configure flow counters. */
import { serviceCommands } from "../base/service-commands.ts";
import { FLOWS } from "./settings.ts";

export const FLOWS_CONFIGURE = serviceCommands("flows", FLOWS);
