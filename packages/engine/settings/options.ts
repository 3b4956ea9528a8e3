/** Parses the options of a command: words that begin with `-`, most of them followed by a value. */

/** The value of an option: none, a word, or an integer in a range. */
export type OptionKind = "flag" | "word" | readonly [least: number, most: number];

export interface Options {
  readonly flags: ReadonlySet<string>;
  readonly words: Readonly<Record<string, string>>;
  readonly numbers: Readonly<Record<string, number>>;
}

/** @returns the options by name (the last one of repeated ones), or an error as text. */
export function readOptions(
  args: readonly string[],
  kinds: Readonly<Record<string, OptionKind>>,
): Options | string {
  const flags = new Set<string>();
  const words: Record<string, string> = {};
  const numbers: Record<string, number> = {};
  const rest = [...args];
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) return `${name} is not an option here: type help for those that are`;
    if (kind === "flag") {
      flags.add(name);
      continue;
    }
    const value = rest.shift();
    if (kind !== "word") {
      const number = /^\d{1,9}$/.test(value ?? "") ? Number(value) : Number.NaN;
      if (!(number >= kind[0] && number <= kind[1]))
        return `${name} takes a number from ${kind[0]} to ${kind[1]}`;
      numbers[name] = number;
    } else if (value === undefined) return `${name} needs a value: type help for what it is`;
    else words[name] = value;
  }
  return { flags, words, numbers };
}
