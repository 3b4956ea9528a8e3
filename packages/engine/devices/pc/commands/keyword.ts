/** The second word of a command, which may be shortened. */

/** Returns the keyword equal to the word, else the first keyword that begins with it; undefined if none does. */
export function keywordOf<K extends string>(word: string | undefined, keywords: readonly K[]): K | undefined {
  if (word === undefined || word === "") return undefined;
  return keywords.find((keyword) => keyword === word) ?? keywords.find((keyword) => keyword.startsWith(word));
}
