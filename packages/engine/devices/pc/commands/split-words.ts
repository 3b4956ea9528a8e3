/** Splits a command line into words at space, tab, `/` and `=`. Double quotes around a word keep its separators. */

const WORDS_MAX = 20;
/** Separators, then a word in quotes, a quote that is never closed, or a plain word. */
const WORD = /[\s/=]*(?:"([^"]*)"|(")|([^\s/=]+))/gy;

/**
 * Returns at most 20 words and drops the rest. Drops an empty pair of quotes, and all text after a quote that is never
 * closed. A quote inside a word is part of the word.
 */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  for (const [, quoted, open, plain] of line.matchAll(WORD)) {
    if (open !== undefined || words.length === WORDS_MAX) break;
    const word = quoted ?? plain ?? "";
    if (word !== "") words.push(word);
  }
  return words;
}
