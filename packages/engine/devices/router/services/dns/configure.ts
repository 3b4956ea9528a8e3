/** The commands that configure the DNS server. */
import { serviceCommands } from "../base/service-commands.ts";
import { DNS } from "./settings.ts";

export const DNS_CONFIGURE = serviceCommands("dns", DNS);
