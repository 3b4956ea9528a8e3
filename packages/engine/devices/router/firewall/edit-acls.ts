/** The console commands that change access lists, as edits of the router's `properties`; each returns an error as text. */
import type { PortProperties, RouterProperties } from "../config.ts";
import {
  type AclFamily,
  type AclProperties,
  FAMILY_NAMES,
  MAX_RULE_NUMBER,
  type PortAclKey,
  RULE_NUMBER_STEP,
} from "./acl-spec.ts";
import { parseRule, RULE_USAGE } from "./parse-rule.ts";
import { formatRule } from "./rule.ts";

type Edit = (properties: RouterProperties, args: readonly string[]) => RouterProperties | string;

export const ACL_USAGE = `[ipv6] access-list NAME ${RULE_USAGE}`;
const NO_ACL_USAGE = "no [ipv6] access-list NAME [SEQ]";
const GROUP_USAGE = "access-group PORT NAME in|out | no access-group PORT NAME in|out";

const numberOf = (rule: string): number => Number(rule.split(" ", 1)[0]);

/** Adds a rule, in place of the one with its number; creates the list with its first rule. */
export const addRule =
  (family: AclFamily): Edit =>
  (properties, [name, ...words]) => {
    if (name === undefined || words.length === 0) return `Usage: ${ACL_USAGE}`;
    const { acls = [] } = properties;
    const list = acls.find((each) => each.name === name) ?? { name, family, rules: [] };
    if ((list.family ?? "ipv4") !== family)
      return `${name} is an ${FAMILY_NAMES[list.family ?? "ipv4"]} list`;
    const last = numberOf(list.rules.at(-1) ?? "0");
    const rule = parseRule(family, words.join(" "), last + RULE_NUMBER_STEP);
    if (typeof rule === "string") return rule;
    if (rule.number > MAX_RULE_NUMBER) return `The list has rule ${last}: give the new one a number`;
    const others = list.rules.filter((each) => numberOf(each) !== rule.number);
    const rules = [...others, formatRule(family, rule)].toSorted(
      (one, other) => numberOf(one) - numberOf(other),
    );
    return { ...properties, acls: replaced(acls, { ...list, rules }) };
  };

const replaced = (acls: readonly AclProperties[], list: AclProperties): AclProperties[] => {
  const index = acls.findIndex(({ name }) => name === list.name);
  return index === -1 ? [...acls, list] : acls.with(index, list);
};

/** Removes a rule, or a list; the last rule takes its list with it. */
export const removeRule =
  (family: AclFamily): Edit =>
  (properties, [name, number, ...rest]) => {
    if (name === undefined || rest.length > 0) return `Usage: ${NO_ACL_USAGE}`;
    const { acls = [] } = properties;
    const list = acls.find((each) => each.name === name && (each.family ?? "ipv4") === family);
    if (list === undefined) return `There is no ${FAMILY_NAMES[family]} access list ${name}`;
    const rules = number === undefined ? [] : list.rules.filter((rule) => numberOf(rule) !== Number(number));
    if (rules.length === list.rules.length) return `The list ${name} has no rule ${number}`;
    const kept =
      rules.length === 0 ? acls.filter((each) => each !== list) : replaced(acls, { ...list, rules });
    return { ...properties, acls: kept };
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
