/** The commands that configure RIP: the words of FRR, where FRR has them. */
import { serviceCommands } from "../base/service-commands.ts";
import { RIP } from "./settings.ts";

export const RIP_CONFIGURE = serviceCommands("rip", RIP);
