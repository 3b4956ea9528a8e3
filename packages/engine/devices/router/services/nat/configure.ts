/** The commands that configure the translation of addresses. */
import { withWords } from "../base/command.ts";
import type { ConfigureCommands } from "../base/configuring.ts";
import { changing } from "../base/edit.ts";
import { addNat, removeNat } from "./edit-nat.ts";
import { NAT_LINES } from "./settings.ts";

export const NAT_CONFIGURE: ConfigureCommands = [
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
];
