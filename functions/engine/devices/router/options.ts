/** Reads the options of a command, each a word that begins with `-`, most with a value after it. */

/** What an option takes: nothing, a word, or an integer of a range. */
export type OptionKind = "flag" | "word" | readonly [least: number, most: number];

export interface Options {
  readonly flags: ReadonlySet<string>;
  readonly words: Readonly<Record<string, string>>;
  readonly numbers: Readonly<Record<string, number>>;
}

/** @returns the options by their names, of repeated ones the last; what is wrong, as text. */
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
