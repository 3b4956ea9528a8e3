/** The second word of a command, which may be shortened. */

/** The keyword that a word is, else the first one that it begins; undefined for none. */
export function keywordOf<K extends string>(word: string | undefined, keywords: readonly K[]): K | undefined {
  if (word === undefined || word === "") return undefined;
  return keywords.find((keyword) => keyword === word) ?? keywords.find((keyword) => keyword.startsWith(word));
}
