/** The commands of the translation of addresses. */
import type { RouterCommands } from "../base/command.ts";
import type { Parts } from "../base/parts.ts";
import { NAT_CONFIGURE } from "./configure.ts";
import { showTranslations } from "./show.ts";

const show = ({ core, firewall }: Parts): readonly string[] =>
  showTranslations(firewall, core.running.nat, core.world.nowUs);

export const NAT_COMMANDS: RouterCommands = [
  ...NAT_CONFIGURE,
  { head: "show ip nat translations", meaning: "translated connections", run: show },
];
