/** The commands that configure access lists and tracked connections. */
import type { RouterProperties } from "../base/config.ts";
import type { ConfigureCommands } from "../base/configuring.ts";
import { changing, portCommand } from "../base/edit.ts";
import type { AclFamily } from "./acl-spec.ts";
import { CONNECTION_KEYS } from "./connection-limits.ts";
import { ACL_USAGE, addRule, groupEdit, removeRule } from "./edit-acls.ts";
import { resetConnections, setConnections } from "./edit-connections.ts";
import { PROTOCOL_NAMES } from "./rule.ts";

const END = "[host] any|ADDR|PREFIX [eq NUMBER] [range NUMBER NUMBER]";
const ruleSyntax = (family: AclFamily): string =>
  `NAME [SEQ] permit|deny|reject ${Object.keys(PROTOCOL_NAMES[family]).join("|")}|NUMBER ${END} ${END} [type N [code N]] [established] [state STATE[,STATE]] [log]`;

const ACCESS_GROUP = "access-group PORT NAME in|out";

type Edit = (properties: RouterProperties, args: readonly string[]) => RouterProperties | string;
/** `ipv6 access-list`: the commands of the other family. */
const ofIpv6 =
  (edit: Edit): Edit =>
  (properties, [what, ...args]) =>
    what?.toLowerCase() === "access-list" ? edit(properties, args) : "Usage: [no] ipv6 access-list NAME ...";

export const FIREWALL_CONFIGURE: ConfigureCommands = [
  {
    head: "access-list",
    syntax: ruleSyntax("ipv4"),
    usage: ACL_USAGE,
    meaning: "add a rule to an access list, in place of the one with its number",
    run: changing(addRule("ipv4")),
    checksWords: true,
  },
  {
    head: "ipv6",
    syntax: `access-list ${ruleSyntax("ipv6")}`,
    meaning: "add a rule to an access list of IPv6",
    run: changing(ofIpv6(addRule("ipv6"))),
    checksWords: true,
    unlisted: true,
  },
  {
    head: "no access-list",
    syntax: "ACL [SEQ]",
    usage: "no [ipv6] access-list NAME [SEQ]",
    meaning: "remove a rule, or a list",
    run: changing(removeRule("ipv4")),
    checksWords: true,
  },
  {
    head: "no ipv6",
    syntax: "access-list ACL [SEQ]",
    meaning: "remove a rule, or a list",
    run: changing(ofIpv6(removeRule("ipv6"))),
    checksWords: true,
    unlisted: true,
  },
  {
    head: "access-group",
    syntax: "PORT ACL in|out",
    usage: ACCESS_GROUP,
    meaning: "let a list decide about the packets that enter or leave by a port",
    run: portCommand(ACCESS_GROUP, groupEdit(true)),
    checksWords: true,
  },
  {
    head: "no access-group",
    syntax: "PORT ACL in|out",
    usage: `no ${ACCESS_GROUP}`,
    meaning: "let all of them pass again",
    run: portCommand(`no ${ACCESS_GROUP}`, groupEdit(false)),
    checksWords: true,
  },
  {
    head: "connections",
    syntax: `${CONNECTION_KEYS.join("|")} NUMBER`,
    usage: "connections KEY NUMBER",
    meaning: "set a limit or timeout of tracked connections; no connections KEY: its default",
    run: changing(setConnections),
    checksWords: true,
  },
  {
    head: "no connections",
    syntax: CONNECTION_KEYS.join("|"),
    meaning: "set a limit or timeout of tracked connections to its default",
    run: changing(resetConnections),
    checksWords: true,
    unlisted: true,
  },
];
