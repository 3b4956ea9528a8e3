/** Splits a Go template (pkg.go.dev/text/template) into its texts, and its actions into tokens. */
import { type Spot, TemplateFault } from "./fault.ts";

export interface Token {
  readonly kind: "word" | "field" | "variable" | "number" | "text" | "sign" | "dot";
  /** As it is written, without the dot of a field; of a `text`, its value. */
  readonly text: string;
  /** Whether white space is before it: `.a.b` is one operand, and `.a .b` are two. */
  readonly isApart: boolean;
  readonly spot: Spot;
}

export type Piece =
  | { readonly kind: "text"; readonly text: string; readonly spot: Spot }
  | { readonly kind: "action"; readonly tokens: readonly Token[]; readonly spot: Spot };

const SPACE = " \t\r\n";
const WORD = /[\p{L}_][\p{L}\p{Nd}_]*/uy;
const NUMBER =
  /[+-]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9]+)?)/y;
const QUOTED = /"(?:[^"\\\n]|\\[^\n])*"/y;
const RAW = /`[^`]*`/y;
const SIGN = /:=|[|(),=]/y;
const COMMENT = /\/\*.*?\*\//sy;

export function readPieces(text: string, file: string): Piece[] {
  const pieces: Piece[] = [];
  const spotOf = spots(text, file);
  let at = 0;
  let trims = false;
  for (;;) {
    const open = text.indexOf("{{", at);
    const trimsBefore = open >= 0 && text[open + 2] === "-" && isSpace(text[open + 3]);
    let from = at;
    let to = open < 0 ? text.length : open;
    while (trims && from < to && isSpace(text[from])) from += 1;
    while (trimsBefore && to > from && isSpace(text[to - 1])) to -= 1;
    if (to > from) pieces.push({ kind: "text", text: text.slice(from, to), spot: spotOf(from) });
    if (open < 0) return pieces;
    const spot = spotOf(open);
    const action = readAction(text, open + (trimsBefore ? 4 : 2), spot, spotOf);
    if (action.tokens !== undefined) pieces.push({ kind: "action", tokens: action.tokens, spot });
    ({ end: at, trims } = action);
  }
}

const isSpace = (sign: string | undefined): boolean => sign !== undefined && SPACE.includes(sign);

/** Returns the place of an offset; the offsets have to grow. */
function spots(text: string, file: string): (offset: number) => Spot {
  let line = 1;
  let start = 0;
  let next = text.indexOf("\n");
  return (offset) => {
    while (next >= 0 && next < offset) {
      line += 1;
      start = next + 1;
      next = text.indexOf("\n", start);
    }
    return { file, line, column: offset - start + 1 };
  };
}

interface Action {
  /** Undefined for a comment. */
  readonly tokens: readonly Token[] | undefined;
  readonly end: number;
  readonly trims: boolean;
}

function readAction(text: string, start: number, spot: Spot, spotOf: (offset: number) => Spot): Action {
  const comment = match(COMMENT, text, start);
  if (comment !== undefined) {
    const close = closeAt(text, start + comment.length);
    if (close === undefined) throw new TemplateFault("has a comment that does not end before }}.", spot);
    return { tokens: undefined, ...close };
  }
  const tokens: Token[] = [];
  let at = start;
  let isApart = true;
  for (;;) {
    const close = closeAt(text, at);
    if (close !== undefined) return { tokens, ...close };
    if (at >= text.length) throw new TemplateFault("has {{ without }}.", spot);
    if (isSpace(text[at])) {
      isApart = true;
      at += 1;
      continue;
    }
    const token = readToken(text, at, isApart || isBeforeOperand(tokens.at(-1)), spotOf(at));
    tokens.push(token.token);
    at += token.length;
    isApart = false;
  }
}

/** Whether the next token begins an operand also without white space. */
const isBeforeOperand = (token: Token | undefined): boolean =>
  token === undefined || (token.kind === "sign" && token.text !== ")");

function closeAt(text: string, at: number): Pick<Action, "end" | "trims"> | undefined {
  if (text.startsWith("}}", at)) return { end: at + 2, trims: false };
  return isSpace(text[at]) && text.startsWith("-}}", at + 1) ? { end: at + 4, trims: true } : undefined;
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function readToken(
  text: string,
  at: number,
  isApart: boolean,
  spot: Spot,
): { readonly token: Token; readonly length: number } {
  const make = (kind: Token["kind"], whole: string, own = whole) => ({
    token: { kind, text: own, isApart, spot },
    length: whole.length,
  });
  const number = isApart ? match(NUMBER, text, at) : undefined;
  if (number !== undefined) return make("number", number);
  if (text[at] === "." || text[at] === "$") {
    const name = match(WORD, text, at + 1) ?? "";
    if (text[at] === "$") return make("variable", `$${name}`);
    return name === "" ? make("dot", ".") : make("field", `.${name}`, name);
  }
  const word = match(WORD, text, at);
  if (word !== undefined) return make("word", word);
  const raw = match(RAW, text, at);
  if (raw !== undefined) return make("text", raw, raw.slice(1, -1));
  const quoted = match(QUOTED, text, at);
  if (quoted !== undefined) return make("text", quoted, unquote(quoted, spot));
  const sign = match(SIGN, text, at);
  if (sign !== undefined) return make("sign", sign);
  throw new TemplateFault(`has ${JSON.stringify(text[at])}, which no action has there.`, spot);
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  '"': '"',
  "\\": "\\",
};

const unquote = (quoted: string, spot: Spot): string =>
  quoted.slice(1, -1).replaceAll(/\\(.)/g, (whole, sign: string) => {
    const known = ESCAPES[sign];
    if (known === undefined)
      throw new TemplateFault(`has ${whole} in a text: write the character itself, or use \`...\`.`, spot);
    return known;
  });
