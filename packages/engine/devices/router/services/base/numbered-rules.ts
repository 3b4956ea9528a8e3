/** Named lists of rules whose numbers grow: access lists, and the maps of policy routing. A rule is a line of text. */
import { list } from "../../../../settings/collections.ts";
import { spelled, text } from "../../../../settings/kind.ts";
import type { Path, PropertyReader } from "../../../../settings/property-reader.ts";
import { type DraftOf, required } from "../../../../settings/shape.ts";

export const MAX_LISTS = 64;
/** The rules of all lists together, whose counters are part of the router's state. */
export const MAX_RULES = 512;
export const MAX_RULE_NUMBER = 65_535;
const NUMBER_STEP = 10;

const LIST_NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/i;

/** Reads and writes the text of a rule. */
export interface Grammar<R extends { readonly number: number }> {
  /** @param number of a rule without one. @returns what is wrong as text. */
  readonly parse: (text: string, number: number) => R | string;
  /** Its number is the first number of the text. */
  readonly format: (rule: R) => string;
}

interface RuleList {
  readonly name: string;
  readonly rules: readonly string[];
}

const numberOf = (rule: string): number => Number(/\d+/.exec(rule)?.[0]);

/** @param what the word of messages for a list. */
export const listRows = (what: string) => ({
  name: required(
    spelled(`a name of a ${what} (letters, digits, . _ -)`, (name) => (LIST_NAME.test(name) ? name : null), {
      placeholder: "NAME",
    }),
  ),
  /** In the order of their numbers, in the one spelling of the grammar. */
  rules: required(list(text("RULE"), { min: 1, max: MAX_RULES })),
});

/** @param rulesOf returns the rules in their one spelling. @returns null if a value is invalid: the reader then has the problem. */
export function readLists<D extends DraftOf<ReturnType<typeof listRows>>>(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  what: string,
  readOne: (value: unknown, path: Path) => D | null,
  rulesOf: (rules: readonly string[], path: Path, draft: D) => readonly string[],
): D[] | null {
  const before = reader.problems.length;
  const lists = Array.from(reader.array(value, path, 0, MAX_LISTS) ?? [], (each, index) => {
    const at = [...path, index];
    const draft = readOne(each, at);
    return draft?.rules ? { ...draft, rules: rulesOf(draft.rules, [...at, "rules"], draft) } : draft;
  });
  for (const [index, own] of lists.entries()) {
    const first = lists.findIndex((other) => other?.name === own?.name);
    if (own?.name && first < index)
      reader.add([...path, index, "name"], `${own.name} is also the name of ${what} ${first}`);
  }
  const count = lists.reduce((sum, own) => sum + (own?.rules?.length ?? 0), 0);
  if (count > MAX_RULES) reader.add(path, `the ${what}s have ${count} rules; ${MAX_RULES} are allowed`);
  return reader.problems.length > before ? null : lists.filter((own) => own !== null);
}

/** Numbers the rules that have no number, and checks that the numbers grow. */
export function readRules<R extends { readonly number: number }>(
  reader: PropertyReader,
  given: readonly string[],
  path: Path,
  { parse, format }: Grammar<R>,
  check?: (rule: R, path: Path) => void,
): string[] {
  const rules: string[] = [];
  let last = 0;
  for (const [index, each] of given.entries()) {
    const at = [...path, index];
    const rule = parse(each, last + NUMBER_STEP);
    if (typeof rule === "string") reader.add(at, rule);
    else if (rule.number <= last) reader.add(at, `rule ${rule.number} comes after rule ${last}`);
    else if (rule.number > MAX_RULE_NUMBER)
      reader.add(at, `the rule needs a number up to ${MAX_RULE_NUMBER}`);
    else {
      last = rule.number;
      rules.push(format(rule));
      check?.(rule, at);
    }
  }
  return rules;
}

/** Adds a rule, in place of the one with its number. @param own the list, which may be a new one. */
export function withRule<L extends RuleList, R extends { readonly number: number }>(
  lists: readonly L[],
  own: L,
  words: string,
  { parse, format }: Grammar<R>,
  what: string,
): L[] | string {
  const last = own.rules.length === 0 ? 0 : numberOf(own.rules.at(-1)!);
  const rule = parse(words, last + NUMBER_STEP);
  if (typeof rule === "string") return rule;
  if (rule.number > MAX_RULE_NUMBER) return `The ${what} has rule ${last}: give the new one a number`;
  const others = own.rules.filter((each) => numberOf(each) !== rule.number);
  const rules = [...others, format(rule)].toSorted((one, other) => numberOf(one) - numberOf(other));
  return replaced(lists, { ...own, rules });
}

/** Removes a rule, or the list; the last rule takes its list with it. */
export function withoutRule<L extends RuleList>(
  lists: readonly L[],
  own: L,
  number: string | undefined,
  what: string,
): L[] | string {
  const rules = number === undefined ? [] : own.rules.filter((each) => numberOf(each) !== Number(number));
  if (rules.length === own.rules.length) return `The ${what} ${own.name} has no rule ${number}`;
  return rules.length === 0 ? lists.filter((each) => each !== own) : replaced(lists, { ...own, rules });
}

function replaced<L extends RuleList>(lists: readonly L[], own: L): L[] {
  const index = lists.findIndex(({ name }) => name === own.name);
  return index === -1 ? [...lists, own] : lists.with(index, own);
}
