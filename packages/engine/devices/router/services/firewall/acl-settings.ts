/** The access lists of `properties`. `acl-spec.ts` has the grammar of a rule. */

import { placesOf } from "../../../../net/plane/places.ts";
import { type Kind, spelled } from "../../../../settings/kind.ts";
import type { PropertyReader } from "../../../../settings/property-reader.ts";
import { readDraft, schemaOfShape, setting, withoutProblems } from "../../../../settings/shape.ts";
import { type Grammar, listRows, MAX_LISTS, readLists, readRules } from "../base/numbered-rules.ts";
import type { Ports } from "../base/port-kind.ts";
import type { ServiceSettings } from "../base/service-shape.ts";
import { type AclFamily, type AclSpec, FAMILY_NAMES, familyOfKey, PORT_ACL_KEYS } from "./acl-spec.ts";
import { parseRule } from "./parse-rule.ts";
import { formatRule, type Rule } from "./rule.ts";

const family = spelled("ipv4 or ipv6", (text) => (text === "ipv4" || text === "ipv6" ? text : null), {
  placeholder: "ipv4|ipv6",
  enum: ["ipv4", "ipv6"],
}) as Kind<AclFamily>;
const { name, rules } = listRows("list");
const SHAPE = { name, family: setting(family, "ipv4"), rules } as const;

export const ruleGrammar = (own: AclFamily): Grammar<Rule> => ({
  parse: (text, number) => parseRule(own, text, number),
  format: (rule) => formatRule(own, rule),
});

/** Checks that the lists of ports exist. */
function checkPortAcls(ports: Ports, acls: readonly AclSpec[], reader: PropertyReader): void {
  for (const { draft, path } of placesOf(ports ?? [])) {
    for (const use of PORT_ACL_KEYS) {
      const list = draft.acls?.[use];
      const own = familyOfKey(use);
      if (list !== undefined && !acls.some((each) => each.name === list && each.family === own))
        reader.add([...path, use], `there is no ${FAMILY_NAMES[own]} access list ${list}`);
    }
  }
}

export const ACLS: ServiceSettings<"acls", readonly AclSpec[], AclSpec[]> = {
  name: "acls",
  otherwise: [],
  omitsEmpty: true,
  read(reader, value, path, ports) {
    const lists = readLists(
      reader,
      value,
      path,
      "list",
      (each, at) => readDraft(reader, each, at, SHAPE, undefined),
      (given, at, list) => (list.family ? readRules(reader, given, at, ruleGrammar(list.family)) : []),
    )?.map((list) => withoutProblems<typeof SHAPE>(list));
    if (lists !== undefined) checkPortAcls(ports, lists, reader);
    return lists ?? null;
  },
  format: (acls) => acls.map((each) => ({ ...each })),
  print: (acls) =>
    acls.flatMap((list) =>
      list.rules.map((rule) => `${list.family === "ipv6" ? "ipv6 " : ""}access-list ${list.name} ${rule}`),
    ),
  schema: () => ({
    description: "access lists",
    type: "array",
    items: schemaOfShape(SHAPE),
    maxItems: MAX_LISTS,
  }),
};

declare module "../base/config.ts" {
  interface ServicesConfig {
    readonly acls?: readonly AclSpec[];
  }
  interface ServicesProperties {
    acls?: AclSpec[];
  }
}
