/** A command line as words: separated by space, tab, `/` and `=`; a pair of double quotes makes one word. */

const WORDS_MAX = 20;
const WORD = /(?:"[^"]*"?|[^\s/="])+/g;

/** At most 20; what comes after them is dropped, and so are words of nothing but quotes. */
export function splitWords(line: string): string[] {
  const words = Array.from(line.matchAll(WORD), ([word]) => word.replaceAll('"', ""));
  return words.filter((word) => word !== "").slice(0, WORDS_MAX);
}
