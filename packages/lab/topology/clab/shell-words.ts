/** Splits a command as containerlab does, which runs commands without a shell: into words, by the quotes of a shell. */

/** @returns undefined if a quote is not closed. */
export function shellWords(text: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === "'" || character === '"') {
      const quoted = readQuoted(text, at);
      if (quoted === undefined) return undefined;
      word = (word ?? "") + quoted.text;
      at = quoted.end;
    } else if (character === "\\") {
      at += 1;
      if (at === text.length) return undefined;
      word = (word ?? "") + text[at]!;
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === "#" && word === undefined) {
      const newline = text.indexOf("\n", at);
      at = newline < 0 ? text.length : newline;
    } else word = (word ?? "") + character;
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** Within double quotes, a backslash takes the next character as it is. */
function readQuoted(
  text: string,
  start: number,
): { readonly text: string; readonly end: number } | undefined {
  const quote = text[start];
  let inside = "";
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at]!;
    if (character === quote) return { text: inside, end: at };
    if (character === "\\" && quote === '"') {
      at += 1;
      inside += text[at] ?? "";
    } else inside += character;
  }
  return undefined;
}

/** A word of a shell command. */
export const quoteWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const SHELLS = new Set(["sh", "bash", "ash", "dash", "/bin/sh", "/bin/bash", "/bin/ash", "/usr/bin/bash"]);

/** @returns the script of `sh -c SCRIPT`; undefined for other commands. */
export function scriptOf([program = "", ...others]: readonly string[]): string | undefined {
  if (!SHELLS.has(program)) return undefined;
  const [option = "", script, ...more] = others;
  return /^-[elx]*c$/.test(option) && more.length === 0 ? script : undefined;
}
