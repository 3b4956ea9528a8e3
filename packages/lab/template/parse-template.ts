/** Parses a Go template. */
import { type Spot, TemplateFault } from "./fault.ts";
import { parseOperand } from "./parse-operand.ts";
import { TokenReader } from "./token-reader.ts";
import { type Piece, readPieces } from "./tokens.ts";
import type { Command, Node, Pipe } from "./tree.ts";

export type Templates = ReadonlyMap<string, readonly Node[]>;

/** Deeper ones would end the stack of the readers, which are recursive. */
const MOST_LEVELS = 100;
/** They are looked up one by one. */
const MOST_VARIABLES = 200;

/**
 * Adds the template, and those that it defines.
 * @param isFunction whether a function of the name exists. @throws TemplateFault with its place.
 */
export function parseTemplate(
  text: string,
  name: string,
  file: string,
  isFunction: (name: string) => boolean,
  templates: Map<string, readonly Node[]>,
): void {
  const body = new TemplateParser(readPieces(text, file), isFunction, templates).parse();
  templates.set(name, body);
}

interface Ended {
  readonly nodes: readonly Node[];
  /** `end` or `else`, with what follows it; undefined at the end of the file. */
  readonly by: TokenReader | undefined;
}

class TemplateParser {
  readonly #pieces: readonly Piece[];
  readonly #isFunction: (name: string) => boolean;
  readonly #templates: Map<string, readonly Node[]>;
  #at = 0;
  #level = 0;
  #loops = 0;
  /** The variables in force. */
  #variables = ["$"];

  constructor(
    pieces: readonly Piece[],
    isFunction: (name: string) => boolean,
    templates: Map<string, readonly Node[]>,
  ) {
    this.#pieces = pieces;
    this.#isFunction = isFunction;
    this.#templates = templates;
  }

  parse(): readonly Node[] {
    const { nodes, by } = this.#list();
    if (by !== undefined) throw new TemplateFault(`has {{${by.first}}} without its beginning.`, by.spot);
    return nodes;
  }

  /** Reads up to an `end` or `else`. */
  #list(): Ended {
    const nodes: Node[] = [];
    for (;;) {
      const piece = this.#pieces[this.#at];
      if (piece === undefined) return { nodes, by: undefined };
      this.#at += 1;
      if (piece.kind === "text") {
        nodes.push(piece);
        continue;
      }
      const reader = new TokenReader(piece.tokens, piece.spot);
      if (reader.first === "end" || reader.first === "else") {
        reader.next();
        return { nodes, by: reader };
      }
      const node = this.#action(reader);
      if (node !== undefined) nodes.push(node);
    }
  }

  #action(reader: TokenReader): Node | undefined {
    const { first, spot } = reader;
    switch (first) {
      case "if":
      case "with":
      case "range":
        reader.next();
        return this.#branch(first, reader);
      case "break":
      case "continue":
        reader.next();
        reader.finish();
        if (this.#loops === 0) throw new TemplateFault(`has {{${first}}} outside {{range}}.`, spot);
        return { kind: first };
      case "template": {
        reader.next();
        const name = reader.nameOfTemplate();
        return { kind: "template", name, pipe: reader.isAtEnd ? undefined : this.#pipe(reader), spot };
      }
      case "block": {
        reader.next();
        const name = reader.nameOfTemplate();
        const pipe = this.#pipe(reader);
        this.#define(name, spot);
        return { kind: "template", name, pipe, spot };
      }
      case "define":
        reader.next();
        this.#define(reader.nameOfTemplate(), spot);
        reader.finish();
        return undefined;
      default:
        return { kind: "print", pipe: this.#pipe(reader) };
    }
  }

  #branch(kind: "if" | "with" | "range", reader: TokenReader): Node {
    const { spot } = reader;
    const count = this.#variables.length;
    const pipe = this.#pipe(reader, kind === "range" ? 2 : 1);
    const body = this.#inside(kind === "range", spot);
    const otherwise = body.by.first === "else" ? this.#otherwise(kind, body.by, spot) : [];
    if (body.by.first === "end") body.by.finish();
    this.#variables.length = count;
    return { kind, pipe, body: body.nodes, otherwise };
  }

  /** `{{else}}`, or `{{else if x}}`, whose `{{end}}` ends both. */
  #otherwise(kind: string, reader: TokenReader, spot: Spot): readonly Node[] {
    const again = reader.isAtEnd ? undefined : reader.next().text;
    if (again === undefined) {
      const { nodes, by } = this.#inside(false, spot);
      if (by.first === "else") throw new TemplateFault("has a second {{else}}.", by.spot);
      by.finish();
      return nodes;
    }
    if (again !== kind || kind === "range")
      throw new TemplateFault(`has {{else ${again}}} in {{${kind}}}.`, reader.spot);
    return this.#deeper(spot, () => [this.#branch(again as "if" | "with", reader)]);
  }

  #inside(isLoop: boolean, spot: Spot): { readonly nodes: readonly Node[]; readonly by: TokenReader } {
    const count = this.#variables.length;
    this.#loops += isLoop ? 1 : 0;
    const { nodes, by } = this.#deeper(spot, () => this.#list());
    this.#loops -= isLoop ? 1 : 0;
    this.#variables.length = count;
    if (by === undefined) throw new TemplateFault("has no {{end}}.", spot);
    return { nodes, by };
  }

  #define(name: string, spot: Spot): void {
    const outer = { variables: this.#variables, loops: this.#loops };
    this.#variables = ["$"];
    this.#loops = 0;
    const { nodes, by } = this.#inside(false, spot);
    if (by.first === "else") throw new TemplateFault("has {{else}} in {{define}}.", by.spot);
    by.finish();
    this.#variables = outer.variables;
    this.#loops = outer.loops;
    this.#templates.set(name, nodes);
  }

  #deeper<Result>(spot: Spot, read: () => Result): Result {
    if (this.#level === MOST_LEVELS)
      throw new TemplateFault(`is nested more than ${MOST_LEVELS} levels deep here.`, spot);
    this.#level += 1;
    const result = read();
    this.#level -= 1;
    return result;
  }

  /** @param most variables that it can declare. */
  #pipe(reader: TokenReader, most = 1): Pipe {
    const pipe = this.#readPipe(reader, most);
    reader.finish();
    return pipe;
  }

  #readPipe(reader: TokenReader, most: number): Pipe {
    const { spot } = reader;
    const { names, assigns } = reader.declaration(most);
    const commands: Command[] = [];
    do {
      const operands = [];
      while (!reader.isAtEndOfCommand)
        operands.push(
          parseOperand(reader, {
            isFunction: this.#isFunction,
            hasVariable: (name) => this.#variables.includes(name),
            readPipe: () => this.#deeper(spot, () => this.#readPipe(reader, 0)),
          }),
        );
      const [first, ...others] = operands;
      if (first === undefined) throw new TemplateFault("lacks a value.", reader.spot);
      const isValue = first.kind !== "function" && first.kind !== "fields" && first.kind !== "variable";
      if (commands.length > 0 && isValue)
        throw new TemplateFault("passes a value with | to what is no function.", first.spot);
      commands.push({ operands: [first, ...others] });
    } while (reader.take("|"));
    for (const name of names) {
      if (!assigns) this.#variables.push(name);
      else if (!this.#variables.includes(name))
        throw new TemplateFault(`assigns to ${name}, which no := declares.`, spot);
    }
    if (this.#variables.length > MOST_VARIABLES)
      throw new TemplateFault(`has more than ${MOST_VARIABLES} variables in force.`, spot);
    const [first, ...others] = commands;
    return { variables: names, assigns, commands: [first!, ...others], spot };
  }
}
