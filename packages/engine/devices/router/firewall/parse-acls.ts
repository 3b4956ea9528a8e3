/** Parses `acls`, and the lists that ports name, from a router's `properties`. */
import type { Path, PropertyReader } from "../../../settings/property-reader.ts";
import {
  type AclFamily,
  type AclSpec,
  FAMILY_NAMES,
  familyOfKey,
  MAX_ACL_RULES,
  MAX_ACLS,
  MAX_RULE_NUMBER,
  PORT_ACL_KEYS,
  type PortAcls,
  RULE_NUMBER_STEP,
} from "./acl-spec.ts";
import { parseRule } from "./parse-rule.ts";
import { formatRule } from "./rule.ts";

const LIST_NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/i;

/** Undefined for a router without lists, null if something in them is invalid. */
export function readAcls(reader: PropertyReader, value: unknown): readonly AclSpec[] | undefined | null {
  if (value === undefined) return undefined;
  const given = reader.array(value, ["acls"], 0, MAX_ACLS);
  if (given === null) return null;
  const before = reader.problems.length;
  const lists = readLists(reader, given);
  if (reader.problems.length > before) return null;
  return lists.length === 0 ? undefined : lists;
}

function readLists(reader: PropertyReader, given: readonly unknown[]): AclSpec[] {
  const lists = Array.from(given, (list, index) => readAcl(reader, list, ["acls", index]));
  for (const [index, list] of lists.entries()) {
    const before = lists.findIndex((other) => other?.name === list?.name);
    if (list && before < index)
      reader.add(["acls", index, "name"], `${list.name} is also the name of list ${before}`);
  }
  const rules = lists.reduce((sum, list) => sum + (list?.rules.length ?? 0), 0);
  if (rules > MAX_ACL_RULES)
    reader.add(["acls"], `the lists have ${rules} rules; ${MAX_ACL_RULES} are allowed`);
  return lists.filter((list) => list !== null);
}

function readAcl(reader: PropertyReader, value: unknown, path: Path): AclSpec | null {
  const list = reader.object(value, path, ["name", "family", "rules"]);
  if (list === null) return null;
  const name = reader.parsed(
    list.name,
    [...path, "name"],
    (text) => (LIST_NAME.test(text) ? text : null),
    "a name of a list (letters, digits, . _ -)",
  );
  const family = reader.parsed(
    list.family ?? "ipv4",
    [...path, "family"],
    (text): AclFamily | null => (text === "ipv4" || text === "ipv6" ? text : null),
    "ipv4 or ipv6",
  );
  const rules = reader.array(list.rules, [...path, "rules"], 1, MAX_ACL_RULES);
  const parsed = family && rules && readRules(reader, family, rules, [...path, "rules"]);
  return name === null || family === null || !parsed ? null : { name, family, rules: parsed };
}

/** Numbers the rules that have no number, and checks that the numbers grow. */
function readRules(
  reader: PropertyReader,
  family: AclFamily,
  given: readonly unknown[],
  path: Path,
): string[] {
  let last = 0;
  const rules: string[] = [];
  for (const [index, value] of Array.from(given).entries()) {
    const at = [...path, index];
    const text = reader.text(value, at);
    if (text === null) continue;
    const rule = parseRule(family, text, last + RULE_NUMBER_STEP);
    if (typeof rule === "string") reader.add(at, rule);
    else if (rule.number <= last) reader.add(at, `rule ${rule.number} comes after rule ${last}`);
    else if (rule.number > MAX_RULE_NUMBER)
      reader.add(at, `the rule needs a number up to ${MAX_RULE_NUMBER}`);
    else {
      last = rule.number;
      rules.push(formatRule(family, rule));
    }
  }
  return rules;
}

/** The names that a port gives; undefined if it has none. `checkPortAcls` checks that the lists exist. */
export function readPortAcls(
  reader: PropertyReader,
  port: Readonly<Record<string, unknown>>,
  path: Path,
): PortAcls | undefined {
  const names: Record<string, string> = {};
  for (const key of PORT_ACL_KEYS) {
    const name = reader.optional(port[key], (value) => reader.text(value, [...path, key]));
    if (typeof name === "string") names[key] = name;
  }
  return Object.keys(names).length === 0 ? undefined : names;
}

/** @param key of `properties` under which the ports are. */
export function checkPortAcls(
  key: "ports" | "interfaces",
  ports: readonly { readonly acls?: PortAcls | undefined }[],
  acls: readonly AclSpec[] | undefined | null,
  reader: PropertyReader,
): void {
  if (acls === null) return;
  for (const [index, port] of ports.entries()) {
    for (const use of PORT_ACL_KEYS) {
      const name = port.acls?.[use];
      const family = familyOfKey(use);
      if (name !== undefined && !acls?.some((list) => list.name === name && list.family === family))
        reader.add([key, index, use], `there is no ${FAMILY_NAMES[family]} access list ${name}`);
    }
  }
}
