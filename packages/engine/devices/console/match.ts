/** Matches a line with the commands of a console. Keywords may be abbreviated: the rules are those of FRR's vtysh. */
import type { CommandSpec } from "./command.ts";
import { follow, type Next, parseSyntax, type Token } from "./syntax.ts";

/** The kinds of values of a console: what they are, what they look like, and those that exist. */
export interface ValueKind {
  readonly meaning: string;
  /** A word that does not look like this is no such value. */
  readonly pattern?: RegExp;
  /** Which list of names has those that exist. */
  readonly of?: string;
}

/** Lists the names that exist, of a kind: interfaces. */
export type Names = (of: string) => readonly string[];

export interface Vocabulary {
  readonly values: Readonly<Record<string, ValueKind>>;
  readonly names: Names;
}

/** How a line, or the beginning of one, fits a command. */
export interface Fit<T> {
  readonly command: CommandSpec<T>;
  readonly tokens: readonly Token[];
  /** The words of the line, with whole keywords. */
  readonly words: readonly string[];
  /** How well each word fits. */
  readonly ranks: readonly number[];
  readonly next: Next;
}

const RANK = { keyword: 3, name: 2, beginning: 1, value: 0 } as const;

export const wordsOf = (line: string): string[] => line.split(/\s+/).filter((word) => word !== "");

/** The graph of a command's tokens. Commands are constants, so each is parsed once. */
const syntaxOf = (() => {
  const parsed = new WeakMap<object, Next>();
  return <T>(command: CommandSpec<T>): Next => {
    const known = parsed.get(command);
    if (known !== undefined) return known;
    const next = parseSyntax(`${command.head} ${command.syntax ?? ""}`);
    parsed.set(command, next);
    return next;
  };
})();

/** Returns how all words fit, as the whole of a command or its beginning. */
export function fitsOf<T>(
  commands: readonly CommandSpec<T>[],
  words: readonly string[],
  vocabulary: Vocabulary,
): Fit<T>[] {
  return words.reduce<Fit<T>[]>(
    (fits, word) => bestKeywords(fits.flatMap((fit) => extend(fit, word, vocabulary))),
    commands.map((command) => ({ command, tokens: [], words: [], ranks: [], next: syntaxOf(command) })),
  );
}

function extend<T>(fit: Fit<T>, word: string, vocabulary: Vocabulary): Fit<T>[] {
  return nextTokens(fit).flatMap((token) => {
    const rank = rankOf(token, word, vocabulary);
    if (rank === undefined) return [];
    return [
      {
        ...fit,
        tokens: [...fit.tokens, token],
        words: [...fit.words, token.isValue ? word : token.text],
        ranks: [...fit.ranks, rank],
        next: token.next,
      },
    ];
  });
}

/** The tokens that may follow; an option that the line has does not follow again. */
export const nextTokens = <T>({ tokens, next }: Fit<T>): Token[] =>
  follow(next).tokens.filter((token) => token.repeats || !tokens.includes(token));

export const mayEnd = <T>({ next }: Fit<T>): boolean => follow(next).mayEnd;

function rankOf({ text, isValue }: Token, word: string, { values, names }: Vocabulary): number | undefined {
  const typed = word.toLowerCase();
  if (isValue) {
    const { pattern, of } = values[text] ?? {};
    if (of !== undefined && names(of).some((name) => name.toLowerCase() === typed)) return RANK.name;
    return pattern === undefined || pattern.test(word) ? RANK.value : undefined;
  }
  if (isOption(text)) return text === word ? RANK.keyword : undefined;
  if (text.toLowerCase() === typed) return RANK.keyword;
  return text.toLowerCase().startsWith(typed) ? RANK.beginning : undefined;
}

/** Options are case-sensitive, and not abbreviated: -s and -S differ. */
const isOption = (keyword: string): boolean => keyword.startsWith("-");

/** Whether a word may be the beginning of a keyword that is being typed. */
export const beginsKeyword = (begun: string, keyword: string): boolean =>
  isOption(keyword) ? keyword.startsWith(begun) : keyword.toLowerCase().startsWith(begun.toLowerCase());

/** A word that is a keyword is neither the beginning of another one nor a value, unless something has the name. */
function bestKeywords<T>(fits: readonly Fit<T>[]): Fit<T>[] {
  const isWhole = fits.some(({ ranks }) => ranks.at(-1) === RANK.keyword);
  return fits.filter(({ ranks }) => !isWhole || ranks.at(-1)! >= RANK.name);
}

export type Choice<T> =
  | {
      readonly kind: "command";
      readonly command: CommandSpec<T>;
      readonly args: readonly string[];
      /** The line has the form of the command; otherwise the command reports what is wrong. */
      readonly isWhole: boolean;
    }
  | { readonly kind: "ambiguous" | "incomplete" | "unknown" };

/** Finds the command that a line is. Commands that check their words also get lines that only begin as they do. */
export function choose<T>(
  commands: readonly CommandSpec<T>[],
  words: readonly string[],
  vocabulary: Vocabulary,
): Choice<T> {
  const fits = fitsOf(commands, words, vocabulary);
  // More than vtysh asks for: `s` alone must not switch syslog on where show and shutdown begin alike.
  const whole = best(words.length === 1 ? fits : fits.filter(mayEnd), mayEnd);
  if (whole !== undefined) return whole === "ambiguous" ? { kind: whole } : commandOf(whole, words, true);
  return chooseByHead(commands, words, vocabulary, fits);
}

/** Finds the command of a line. @param layers the commands of the present mode, then the commands of each mode around it. */
export function chooseInLayers<T>(
  layers: readonly (readonly CommandSpec<T>[])[],
  words: readonly string[],
  vocabulary: Vocabulary,
): Choice<T> {
  const choices = layers.map((commands) => choose(commands, words, vocabulary));
  const found = choices.filter((choice) => choice.kind === "command");
  const whole = found.find(({ isWhole }) => isWhole);
  if (whole !== undefined) return whole;
  if (choices.some(({ kind }) => kind === "ambiguous")) return { kind: "ambiguous" };
  // What the innermost mode may mean counts more than what a command around it says about its own words.
  if (choices[0]?.kind === "incomplete") return { kind: "incomplete" };
  const [judge] = found;
  return judge ?? { kind: choices.some(({ kind }) => kind === "incomplete") ? "incomplete" : "unknown" };
}

/** @param begun the commands whose beginning the words are. */
function chooseByHead<T>(
  commands: readonly CommandSpec<T>[],
  words: readonly string[],
  vocabulary: Vocabulary,
  begun: readonly Fit<T>[],
): Choice<T> {
  const heads = words.flatMap((_, index) =>
    fitsOf(commands, words.slice(0, index + 1), vocabulary).filter(
      ({ command }) => wordsOf(command.head).length === index + 1,
    ),
  );
  const found = best(heads);
  if (found === "ambiguous" || best([...heads, ...begun]) === "ambiguous") return { kind: "ambiguous" };
  if (found?.command.checksWords) return commandOf(found, words, false);
  return { kind: begun.length > 0 ? "incomplete" : "unknown" };
}

function commandOf<T>({ command, words }: Fit<T>, typed: readonly string[], isWhole: boolean): Choice<T> {
  const { length } = wordsOf(command.head);
  const args = [...words, ...typed.slice(words.length)].slice(length);
  return { kind: "command", command, args, isWhole };
}

/**
 * Returns the best fit; of commands that a line fits alike, the first one, unless its words stand for other keywords there.
 * @param isMeant of the fits that are alike, only these are returned.
 */
function best<T>(
  fits: readonly Fit<T>[],
  isMeant: (fit: Fit<T>) => boolean = () => true,
): Fit<T> | "ambiguous" | undefined {
  const [first, ...others] = fits.toSorted(compare);
  if (first === undefined) return undefined;
  const rivals = others.filter((each) => compare(first, each) === 0);
  const isAmbiguous = rivals.some(({ words }) => words.join(" ") !== first.words.join(" "));
  return isAmbiguous ? "ambiguous" : [first, ...rivals].find(isMeant);
}

/** Orders fits: the better one comes first. */
function compare<T>(one: Fit<T>, other: Fit<T>): number {
  const length = Math.max(one.ranks.length, other.ranks.length);
  for (let at = 0; at < length; at++) {
    const difference = (other.ranks[at] ?? -1) - (one.ranks[at] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
