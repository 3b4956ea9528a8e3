/** Splits BIRD's configuration in statements: words up to a semicolon, or up to the end of a block in braces. */
import type { ConfigLine } from "./router-config.ts";

export interface Statement {
  /** Texts in quotes keep their quotes. */
  readonly words: readonly string[];
  readonly block: readonly Statement[] | undefined;
  readonly at: ConfigLine;
}

interface Token {
  readonly text: string;
  readonly line: number;
}

const TOKEN = /#[^\n]*|\/\*[\s\S]*?\*\/|-?"[^"\n]*"|[{};,]|[^\s{};,"#]+/g;

/** @param file its name in messages. */
export function splitStatements(text: string, file: string): readonly Statement[] {
  const tokens: Token[] = [];
  let [line, from] = [1, 0];
  for (const match of text.matchAll(TOKEN)) {
    for (; from < match.index; from++) if (text[from] === "\n") line += 1;
    if (!/^(#|\/\*)/.test(match[0])) tokens.push({ text: match[0], line });
  }
  const lines = text.split("\n");
  const placeOf = (number: number): ConfigLine => ({
    file,
    line: number,
    text: (lines[number - 1] ?? "").trim(),
  });
  return readBlock(tokens, { next: 0 }, placeOf);
}

function readBlock(
  tokens: readonly Token[],
  cursor: { next: number },
  placeOf: (line: number) => ConfigLine,
): readonly Statement[] {
  const statements: Statement[] = [];
  let words: Token[] = [];
  const close = (block: readonly Statement[] | undefined, line: number) => {
    if (words.length > 0 || block !== undefined)
      statements.push({
        words: words.map(({ text }) => text),
        block,
        at: placeOf(words[0]?.line ?? line),
      });
    words = [];
  };
  while (cursor.next < tokens.length) {
    const token = tokens[cursor.next]!;
    cursor.next += 1;
    if (token.text === "}") {
      close(undefined, token.line);
      return statements;
    }
    if (token.text === "{") close(readBlock(tokens, cursor, placeOf), token.line);
    else if (token.text === ";") close(undefined, token.line);
    else words.push(token);
  }
  close(undefined, 1);
  return statements;
}
