/** The commands that configure the DHCP relay. */
import { serviceCommands } from "../base/service-commands.ts";
import { DHCP_RELAY } from "./settings.ts";

export const DHCP_RELAY_CONFIGURE = serviceCommands("dhcp_relay", DHCP_RELAY);
