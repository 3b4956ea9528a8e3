/** The commands of access lists and tracked connections. */
import { type RouterCommands, withWords } from "../command.ts";
import {
  accessGroupCommand,
  accessListCommand,
  connectionsCommand,
  ipv6Command,
  noCommand,
} from "../configure.ts";
import type { AclFamily } from "./acl-spec.ts";
import { CONNECTION_KEYS } from "./connection-limits.ts";
import { ACL_USAGE } from "./edit-acls.ts";
import { PROTOCOL_NAMES } from "./rule.ts";
import { showAccessLists, showConnections, showLogging } from "./show.ts";

const END = "[host] any|ADDR|PREFIX [eq NUMBER] [range NUMBER NUMBER]";
const ruleSyntax = (family: AclFamily): string =>
  `NAME [SEQ] permit|deny|reject ${Object.keys(PROTOCOL_NAMES[family]).join("|")}|NUMBER ${END} ${END} [type N [code N]] [established] [state STATE[,STATE]] [log]`;

export const FIREWALL_COMMANDS: RouterCommands = [
  {
    head: "access-list",
    syntax: ruleSyntax("ipv4"),
    usage: ACL_USAGE,
    meaning: "add a rule to an access list, in place of the one with its number",
    run: accessListCommand,
    checksWords: true,
  },
  {
    head: "ipv6",
    syntax: `access-list ${ruleSyntax("ipv6")}`,
    meaning: "add a rule to an access list of IPv6",
    run: ipv6Command,
    checksWords: true,
    unlisted: true,
  },
  {
    head: "no access-list",
    syntax: "ACL [SEQ]",
    usage: "no [ipv6] access-list NAME [SEQ]",
    meaning: "remove a rule, or a list",
    run: withWords(noCommand, "access-list"),
    checksWords: true,
  },
  {
    head: "no ipv6",
    syntax: "access-list ACL [SEQ]",
    meaning: "remove a rule, or a list",
    run: withWords(noCommand, "ipv6"),
    checksWords: true,
    unlisted: true,
  },
  {
    head: "access-group",
    syntax: "PORT ACL in|out",
    usage: "access-group PORT NAME in|out",
    meaning: "let a list decide about the packets that enter or leave by a port",
    run: accessGroupCommand,
    checksWords: true,
  },
  {
    head: "no access-group",
    syntax: "PORT ACL in|out",
    usage: "no access-group PORT NAME in|out",
    meaning: "let all of them pass again",
    run: withWords(noCommand, "access-group"),
    checksWords: true,
  },
  {
    head: "connections",
    syntax: `${CONNECTION_KEYS.join("|")} NUMBER`,
    usage: "connections KEY NUMBER",
    meaning: "set a limit or timeout of tracked connections; no connections KEY: its default",
    run: connectionsCommand,
    checksWords: true,
  },
  {
    head: "no connections",
    syntax: CONNECTION_KEYS.join("|"),
    meaning: "set a limit or timeout of tracked connections to its default",
    run: withWords(noCommand, "connections"),
    checksWords: true,
    unlisted: true,
  },
  {
    head: "show access-lists",
    meaning: "access lists, with the packets that each rule decided",
    run: ({ firewall }) => showAccessLists(firewall),
  },
  {
    head: "show logging",
    meaning: "packets that rules with log decided",
    run: ({ firewall }) => showLogging(firewall),
  },
  {
    head: "show connections",
    meaning: "tracked connections",
    run: ({ core, firewall }) => showConnections(firewall, core.world.nowUs),
  },
];
