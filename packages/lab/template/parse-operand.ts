/** Parses an operand of an action: a constant, a variable, a function, the dot, a pipe in parentheses; each with its fields. */
import { TemplateFault } from "./fault.ts";
import type { TokenReader } from "./token-reader.ts";
import type { Token } from "./tokens.ts";
import type { Operand, Pipe } from "./tree.ts";
import { parseFloatingPoint, parseInteger, type Value } from "./values.ts";

interface Known {
  isFunction(name: string): boolean;
  hasVariable(name: string): boolean;
  /** Reads up to the closing parenthesis. */
  readPipe(): Pipe;
}

export function parseOperand(reader: TokenReader, known: Known): Operand {
  const token = reader.next();
  const term = parseTerm(token, reader, known);
  const names: string[] = token.kind === "field" ? [token.text] : [];
  while (reader.peek()?.kind === "field" && reader.peek()?.isApart === false) names.push(reader.next().text);
  if (token.kind === "word" && term.kind === "function") return functionOf(token, names, known);
  if (names.length === 0) return term;
  if (term.kind === "constant" || (term.kind === "dot" && token.kind === "dot"))
    throw new TemplateFault(`has .${names[0]} after what has no fields.`, token.spot);
  return { kind: "fields", of: term, names, spot: token.spot };
}

function parseTerm(token: Token, reader: TokenReader, { hasVariable, readPipe }: Known): Operand {
  const { kind, text, spot } = token;
  switch (kind) {
    case "dot":
    case "field":
      return { kind: "dot", spot };
    case "variable":
      if (!hasVariable(text)) throw new TemplateFault(`has ${text}, which no := declares.`, spot);
      return { kind: "variable", name: text, spot };
    case "text":
      return { kind: "constant", value: text, spot };
    case "number":
      return { kind: "constant", value: numberOf(token), spot };
    case "word":
      if (text === "true" || text === "false") return { kind: "constant", value: text === "true", spot };
      if (text === "nil") return { kind: "constant", value: undefined, spot };
      return { kind: "function", name: text, spot };
    case "sign": {
      if (text !== "(")
        throw new TemplateFault(`has ${JSON.stringify(text)}, which no value begins with.`, spot);
      const pipe = readPipe();
      if (!reader.take(")")) throw new TemplateFault("has ( without ).", spot);
      return { kind: "pipe", pipe, spot };
    }
  }
}

/** `add`; `strings.Split`, whose fields are part of the name. */
function functionOf({ text, spot }: Token, names: readonly string[], { isFunction }: Known): Operand {
  const whole = [text, ...names].join(".");
  if (!isFunction(whole))
    throw new TemplateFault(
      `has the function ${JSON.stringify(whole)}, which is not known here. Write its result in its place.`,
      spot,
    );
  return { kind: "function", name: whole, spot };
}

function numberOf({ text, spot }: Token): Value {
  const value = /^[^xX]*[.eE]/.test(text) ? parseFloatingPoint(text.replaceAll("_", "")) : parseInteger(text);
  if (value === undefined) throw new TemplateFault(`has ${text}, which is no number.`, spot);
  return value;
}
