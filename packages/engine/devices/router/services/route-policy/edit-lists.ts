/** `ip prefix-list ...` and the other lists: edits of their rules. */
import { formatRule, type ListType, parseRule } from "../../../../routing/policy/lists.ts";
import type { RouterProperties } from "../base/config.ts";
import { headOf, typeOfNumber } from "./list-heads.ts";
import { nextSequence } from "./settings.ts";

type Words = readonly string[];
type ListProperties = NonNullable<RouterProperties["route_lists"]>[number];
type Edit = (properties: RouterProperties, words: Words) => RouterProperties | string;

const numberOf = (rule: string): number => Number(/^seq (\d+)/.exec(rule)?.[1]);
/** What a rule says, without its number. */
const bodyOf = (rule: string): string => rule.replace(/^seq \d+ /, "");

const isList = (list: ListProperties, type: ListType, name: string): boolean =>
  list.type === type && list.name === name;

/** Puts the list in its place; one without rules and a description goes. */
function withList(properties: RouterProperties, own: ListProperties): RouterProperties {
  const { route_lists: before = [] } = properties;
  const index = before.findIndex((each) => isList(each, own.type!, own.name!));
  const isEmpty = own.description === undefined && (own.rules ?? []).length === 0;
  if (isEmpty) return { ...properties, route_lists: before.filter((_, at) => at !== index) };
  return { ...properties, route_lists: index === -1 ? [...before, own] : before.with(index, own) };
}

const listOf = (
  { route_lists = [] }: RouterProperties,
  type: ListType,
  name: string,
): ListProperties | undefined => route_lists.find((each) => isList(each, type, name));

/** A rule takes the place of the one with its number. As in FRR, a rule that is there under another number is not added. */
export const addRule =
  (type: ListType): Edit =>
  (properties, [name = "", ...words]) => {
    const own = listOf(properties, type, name) ?? { type, name, rules: [] };
    if (words[0]?.toLowerCase() === "description")
      return withList(properties, { ...own, description: words.slice(1).join(" ") });
    const { rules = [] } = own;
    const last = rules.length === 0 ? 0 : numberOf(rules.at(-1)!);
    const rule = parseRule(type, words.join(" "), nextSequence(last));
    if (typeof rule === "string") return `${headOf({ type, name })}: ${rule}`;
    const text = formatRule(rule);
    if (rules.some((each) => bodyOf(each) === bodyOf(text))) return properties;
    const others = rules.filter((each) => numberOf(each) !== rule.number);
    const sorted = [...others, text].toSorted((one, other) => numberOf(one) - numberOf(other));
    return withList(properties, { ...own, rules: sorted });
  };

/** Without words behind the name, the list goes; a rule is named by its number, or by what it says. */
export const removeRule =
  (type: ListType): Edit =>
  (properties, [name = "", ...words]) => {
    const own = listOf(properties, type, name);
    if (own === undefined) return `There is no ${headOf({ type, name })}`;
    if (words.length === 0) return withList(properties, { type, name });
    if (words[0]?.toLowerCase() === "description") {
      const { description: _, ...others } = own;
      return withList(properties, others);
    }
    const { rules = [] } = own;
    const isMeant = meant(type, words);
    if (typeof isMeant === "string") return `${headOf({ type, name })}: ${isMeant}`;
    const kept = rules.filter((each) => !isMeant(each));
    if (kept.length === rules.length) return `${headOf({ type, name })} has no rule ${words.join(" ")}`;
    return withList(properties, { ...own, rules: kept });
  };

function meant(type: ListType, words: Words): ((rule: string) => boolean) | string {
  if (words[0]?.toLowerCase() === "seq" && words.length === 2)
    return (rule) => numberOf(rule) === Number(words[1]);
  const parsed = parseRule(type, words.join(" "), 1);
  if (typeof parsed === "string") return parsed;
  const text = formatRule(parsed);
  return words[0]?.toLowerCase() === "seq"
    ? (rule) => rule === text
    : (rule) => bodyOf(rule) === bodyOf(text);
}

/** `bgp community-list 10 ...`: the number says the type. */
export const byNumber =
  (base: "bgp community-list" | "bgp large-community-list", edit: (type: ListType) => Edit): Edit =>
  (properties, words) => {
    const style = typeOfNumber(words[0] ?? "");
    return style === undefined
      ? `${base} has a number from 1 to 500, or standard or expanded and a name`
      : edit(`${base} ${style}`)(properties, words);
  };
