/** A command line as words: separated by space, tab, `/` and `=`. Double quotes around a word keep its separators. */

const WORDS_MAX = 20;
/** Separators, then a word in quotes, a quote that is never closed, or a plain word. */
const WORD = /[\s/=]*(?:"([^"]*)"|(")|([^\s/=]+))/gy;

/**
 * At most 20; what comes after them is dropped, and so are a pair of quotes with nothing in it and what follows a quote that
 * is never closed. A quote inside a word is part of it.
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
