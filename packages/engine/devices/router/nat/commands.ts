/** The commands of the translation of addresses. */
import { type RouterCommands, withWords } from "../command.ts";
import { natCommand, noCommand } from "../configure.ts";
import type { Parts } from "../parts.ts";
import { NAT_USAGES } from "./edit-nat.ts";
import { showTranslations } from "./show.ts";

const RULES = [
  [
    "source",
    "PORT PREFIX interface|FIRST[-LAST] [overload]",
    "give connections that leave by a port another source: the port's address, or one of a pool",
  ],
  ["static", "PORT INSIDE OUTSIDE", "make an inside address one outside address, in both directions"],
  [
    "forward",
    "PORT tcp|udp [OUTSIDE] PORT[-LAST] INSIDE [NUMBER]",
    "let connections to a port of an outside address, or of the port's, lead to a host inside",
  ],
  ["hairpin", undefined, "let hosts inside reach each other by outside addresses"],
] as const;

const show = ({ core, firewall }: Parts): readonly string[] =>
  showTranslations(firewall, core.running.nat, core.world.nowUs);

export const NAT_COMMANDS: RouterCommands = [
  ...RULES.map(([what, syntax, meaning], index) => ({
    head: `ip nat ${what}`,
    ...(syntax && { syntax }),
    usage: NAT_USAGES[index]!,
    meaning,
    run: withWords(natCommand, what),
    checksWords: true as const,
  })),
  ...RULES.map(([what, syntax, meaning]) => ({
    head: `no ip nat ${what}`,
    ...(syntax && { syntax }),
    meaning,
    run: withWords(noCommand, "ip", "nat", what),
    checksWords: true as const,
    unlisted: true as const,
  })),
  {
    head: "no ip nat",
    syntax: "RULE...",
    usage: "no ip nat RULE",
    meaning: "remove a rule of translation, or hairpin",
    run: withWords(noCommand, "ip", "nat"),
    checksWords: true,
  },
  {
    head: "ip nat",
    syntax: "RULE...",
    meaning: "translation of addresses",
    run: natCommand,
    checksWords: true,
    unlisted: true,
  },
  { head: "show ip nat translations", meaning: "translated connections", run: show },
];
