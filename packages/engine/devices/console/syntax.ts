/** Parses the form of a command (`command.ts`) into a graph of tokens: each token refers to those that may follow it. */

export interface Token {
  /** A keyword, or the name of a value. */
  readonly text: string;
  readonly isValue: boolean;
  /** A line may have it more than once. */
  readonly repeats: boolean;
  readonly next: Next;
}

/** What may follow: `end` is the end of the line. */
export type Next = readonly (Token | "end" | Next)[];

type Item =
  | { readonly kind: "word"; readonly words: readonly string[]; readonly repeats: boolean }
  | { readonly kind: "option"; readonly items: readonly Item[]; readonly repeats: boolean };

const REPEATED = "...";

/** @throws Error if the brackets of the form do not match. */
export function parseSyntax(form: string): Next {
  const parts = split(form);
  const { items, rest } = readItems(parts);
  if (rest.length > 0) throw new Error(`unmatched ] in the syntax ${form}`);
  return build(items, ["end"], false);
}

/** Lists the tokens that may follow, and whether the line may end. */
export function follow(next: Next): { tokens: readonly Token[]; mayEnd: boolean } {
  const flat = flatten(next);
  const tokens = flat.filter((each) => each !== "end");
  return { tokens: [...new Set(tokens)], mayEnd: flat.includes("end") };
}

const flatten = (next: Next): (Token | "end")[] =>
  next.flatMap((each) => (isList(each) ? flatten(each) : [each]));

const isList = (each: Next[number]): each is Next => Array.isArray(each);

/** Options begin with `-`, and values have no small letters: `ADDR[%PORT]`. */
const isValue = (word: string): boolean => !word.startsWith("-") && /^[^a-z]*[A-Z][^a-z]*$/.test(word);

/** Splits at spaces, and takes the brackets of options, which have a space or an end of a word outside of them, for words. */
const split = (form: string): string[] =>
  form
    .split(/\s+/)
    .filter((word) => word !== "")
    .flatMap((word) => {
      const [, opening = "", rest = ""] = /^(\[*)(.*)$/.exec(word)!;
      const [, inner = "", closing = ""] = /^(.*?)((?:\](?:\.\.\.)?)*)$/.exec(rest)!;
      const own = (inner.match(/\[/g) ?? []).length;
      const closings = closing.match(/\](?:\.\.\.)?/g) ?? [];
      return [...opening, inner + closings.slice(0, own).join(""), ...closings.slice(own)].filter(
        (part) => part !== "",
      );
    });

function readItems(parts: readonly string[]): { items: Item[]; rest: readonly string[] } {
  const items: Item[] = [];
  let rest = parts;
  while (rest.length > 0) {
    const [part = "", ...others] = rest;
    if (part === "[") {
      const inner = readItems(others);
      const [closing, ...after] = inner.rest;
      if (closing === undefined) throw new Error(`missing ] after ${others.join(" ")}`);
      items.push({ kind: "option", items: inner.items, repeats: closing.endsWith(REPEATED) });
      rest = after;
    } else if (part.startsWith("]")) break;
    else {
      const repeats = part.endsWith(REPEATED);
      const words = (repeats ? part.slice(0, -REPEATED.length) : part).split("|");
      items.push({ kind: "word", words, repeats });
      rest = others;
    }
  }
  return { items, rest };
}

/** @param after what follows the items. */
function build(items: readonly Item[], after: Next, repeats: boolean): Next {
  const [first, ...rest] = items;
  if (first === undefined) return after;
  if (first.kind === "word") {
    const next: (Token | "end" | Next)[] = [];
    const tokens = first.words.map((text) => ({
      text,
      isValue: isValue(text),
      repeats: repeats || first.repeats,
      next,
    }));
    next.push(build(rest, after, repeats));
    if (first.repeats) next.push(...tokens);
    return tokens;
  }
  const options = [first, ...rest.slice(0, countOptions(first, rest))].filter(isOption);
  const tail = build(items.slice(options.length), after, repeats);
  const loop: (Token | "end" | Next)[] = [tail];
  const own = options.map((option) => build(option.items, loop, repeats || option.repeats));
  if (options.length > 1 || first.repeats) loop.push(...own);
  return [...own, tail];
}

/** Counts the options that may change places with the first one: all of them begin with a keyword. */
function countOptions(first: Item, rest: readonly Item[]): number {
  if (!beginsWithKeyword(first)) return 0;
  const count = rest.findIndex((item) => item.kind !== "option" || !beginsWithKeyword(item));
  return count === -1 ? rest.length : count;
}

const isOption = (item: Item): item is Item & { kind: "option" } => item.kind === "option";

const beginsWithKeyword = (item: Item): boolean =>
  item.kind === "word" ? !item.words.some(isValue) : item.items.slice(0, 1).some(beginsWithKeyword);
