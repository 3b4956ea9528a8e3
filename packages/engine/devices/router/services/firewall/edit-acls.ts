/** The console commands that change access lists, as edits of the router's `properties`; each returns an error as text. */
import type { PortProperties, RouterProperties } from "../base/config.ts";
import { withoutRule, withRule } from "../base/numbered-rules.ts";
import { ruleGrammar } from "./acl-settings.ts";
import { type AclFamily, FAMILY_NAMES, type PortAclKey } from "./acl-spec.ts";
import { RULE_USAGE } from "./parse-rule.ts";

type Edit = (properties: RouterProperties, args: readonly string[]) => RouterProperties | string;

export const ACL_USAGE = `[ipv6] access-list NAME ${RULE_USAGE}`;
const NO_ACL_USAGE = "no [ipv6] access-list NAME [SEQ]";
const GROUP_USAGE = "access-group PORT NAME in|out | no access-group PORT NAME in|out";

/** Adds a rule, in place of the one with its number; creates the list with its first rule. */
export const addRule =
  (family: AclFamily): Edit =>
  (properties, [name, ...words]) => {
    if (name === undefined || words.length === 0) return `Usage: ${ACL_USAGE}`;
    const { acls: before = [] } = properties;
    const list = before.find((each) => each.name === name) ?? { name, family, rules: [] };
    if (list.family !== family) return `${name} is an ${FAMILY_NAMES[list.family]} list`;
    const acls = withRule(before, list, words.join(" "), ruleGrammar(family), "list");
    return typeof acls === "string" ? acls : { ...properties, acls };
  };

export const removeRule =
  (family: AclFamily): Edit =>
  (properties, [name, number, ...rest]) => {
    if (name === undefined || rest.length > 0) return `Usage: ${NO_ACL_USAGE}`;
    const { acls: before = [] } = properties;
    const list = before.find((each) => each.name === name && each.family === family);
    if (list === undefined) return `There is no ${FAMILY_NAMES[family]} access list ${name}`;
    const acls = withoutRule(before, list, number, "list");
    return typeof acls === "string" ? acls : { ...properties, acls };
  };

/** Sets or takes away the list of a port. The family is that of the list. */
export const groupEdit =
  (isSet: boolean) =>
  (
    port: PortProperties,
    args: readonly string[],
    { acls = [] }: RouterProperties,
  ): PortProperties | string => {
    const [name, way, ...rest] = args;
    const direction = way?.toLowerCase();
    if (name === undefined || (direction !== "in" && direction !== "out") || rest.length > 0)
      return `Usage: ${GROUP_USAGE}`;
    const list = acls.find((each) => each.name === name);
    if (list === undefined) return `There is no access list ${name}`;
    const key: PortAclKey = list.family === "ipv6" ? `acl6_${direction}` : `acl_${direction}`;
    if (isSet) return { ...port, [key]: name };
    const { [key]: before, ...others } = port;
    return before === name ? others : `${name} is not the list of packets that go ${direction} there`;
  };
