/** The commands of the translation of addresses. */
import { type RouterCommands, withWords } from "../base/command.ts";
import { changing } from "../base/edit.ts";
import type { Parts } from "../base/parts.ts";
import { addNat, removeNat } from "./edit-nat.ts";
import { NAT_LINES } from "./settings.ts";
import { showTranslations } from "./show.ts";

const show = ({ core, firewall }: Parts): readonly string[] =>
  showTranslations(firewall, core.running.nat, core.world.nowUs);

export const NAT_COMMANDS: RouterCommands = [
  ...NAT_LINES.flatMap(({ head, syntax, about: meaning }) => [
    {
      head: `ip nat ${head}`,
      ...(syntax && { syntax }),
      meaning,
      run: withWords(changing(addNat), head),
      checksWords: true as const,
    },
    {
      head: `no ip nat ${head}`,
      ...(syntax && { syntax }),
      meaning,
      run: withWords(changing(removeNat), head),
      checksWords: true as const,
      unlisted: true as const,
    },
  ]),
  {
    head: "no ip nat",
    syntax: "RULE...",
    usage: "no ip nat RULE",
    meaning: "remove a rule of translation, or hairpin",
    run: changing(removeNat),
    checksWords: true,
  },
  {
    head: "ip nat",
    syntax: "RULE...",
    meaning: "translation of addresses",
    run: changing(addNat),
    checksWords: true,
    unlisted: true,
  },
  { head: "show ip nat translations", meaning: "translated connections", run: show },
];
