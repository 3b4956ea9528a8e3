/** What `?` and TAB print on a console: the words that may follow, of the same table that runs the commands. */
import type { CommandSpec } from "./command.ts";
import { beginsKeyword, type Fit, fitsOf, mayEnd, nextTokens, type Vocabulary, wordsOf } from "./match.ts";
import type { Token } from "./syntax.ts";

export interface Described extends Vocabulary {
  /** Descriptions of keywords that are not the last word of a head. */
  readonly keywords: Readonly<Record<string, string>>;
}

/** As vtysh prints them. */
const NO_MATCH = "% There is no matched command.";
const END = "<cr>";
const NAMES_INDENT = "     ";

interface Candidate<T> {
  readonly fit: Fit<T>;
  readonly token: Token;
}

/** The words of a line that are complete, and the beginning of the last one. */
function splitLine(line: string): { before: string[]; begun: string } {
  const words = wordsOf(line);
  const begun = /\S$/.test(line) ? words.pop()! : "";
  return { before: words, begun };
}

/** Lists what may follow the line, with descriptions. */
export function helpFor<T>(
  commands: readonly CommandSpec<T>[],
  line: string,
  vocabulary: Described,
): readonly string[] {
  const { before, begun } = splitLine(line);
  const fits = fitsOf(commands, before, vocabulary);
  const candidates = candidatesOf(fits, begun, vocabulary);
  const rows = new Map<string, string[]>();
  if (begun === "" && before.length > 0 && fits.some(mayEnd)) rows.set(END, [""]);
  const texts = [...new Set(candidates.map(({ token }) => token.text))].toSorted();
  for (const text of texts) {
    const same = candidates.filter(({ token }) => token.text === text);
    rows.set(text, [describe(same, vocabulary), ...namesOf(same[0]!.token, begun, vocabulary)]);
  }
  if (rows.size === 0) return [NO_MATCH];
  const width = Math.max(...[...rows.keys()].map((text) => text.length));
  return [...rows].flatMap(([text, [meaning = "", ...names]]) => [
    `  ${text.padEnd(width)}  ${meaning}`.trimEnd(),
    ...(names.length > 0 ? [`${NAMES_INDENT}${names.join(" ")}`] : []),
  ]);
}

/** The words that the last word of the line, or the next one, can be completed to. */
export function completionsFor<T>(
  commands: readonly CommandSpec<T>[],
  line: string,
  vocabulary: Vocabulary,
): readonly string[] {
  const { before, begun } = splitLine(line);
  const candidates = candidatesOf(fitsOf(commands, before, vocabulary), begun, vocabulary);
  const words = candidates.flatMap(({ token }) =>
    token.isValue ? namesOf(token, begun, vocabulary) : [token.text],
  );
  return [...new Set(words)].toSorted();
}

function candidatesOf<T>(fits: readonly Fit<T>[], begun: string, vocabulary: Vocabulary): Candidate<T>[] {
  return fits.flatMap((fit) =>
    nextTokens(fit)
      .filter((token) => (token.isValue ? mayBe(token, begun, vocabulary) : beginsKeyword(begun, token.text)))
      .map((token) => ({ fit, token })),
  );
}

/** A value of a fixed look is no candidate after a word that cannot be its beginning: `show ip r?`. */
function mayBe(token: Token, begun: string, { values }: Vocabulary): boolean {
  const { pattern } = values[token.text] ?? {};
  return begun === "" || pattern === undefined || pattern.test(begun) || /^[\d:]/.test(begun);
}

function namesOf({ text, isValue }: Token, begun: string, { values, names }: Vocabulary): readonly string[] {
  const of = isValue ? values[text]?.of : undefined;
  if (of === undefined) return [];
  return names(of).filter((name) => name.toLowerCase().startsWith(begun.toLowerCase()));
}

/** The description of a word that ends a head is that of the command, unless other commands have the word there, too. */
function describe<T>(candidates: readonly Candidate<T>[], { values, keywords }: Described): string {
  const { token } = candidates[0]!;
  const own = candidates.map(({ fit }) => fit.command.words?.[token.text]).find((text) => text !== undefined);
  if (own !== undefined) return own;
  if (token.isValue) return values[token.text]?.meaning ?? "";
  const shared = keywords[token.text] ?? "";
  const ended = candidates.find(endsHead)?.fit.command.meaning ?? "";
  if (ended === "" || (candidates.length > 1 && shared !== "")) return shared;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}

const endsHead = <T>({ fit: { command, words }, token }: Candidate<T>): boolean =>
  [...words, token.text].join(" ") === command.head;
