/** Splits expressions into tokens, and reads them one after another. */
import { invalid } from "../dynamodb-error.ts";
import type { Bindings } from "./bindings.ts";
import type { Path } from "./path.ts";
import { isReserved } from "./reserved-words.ts";

const TOKEN = /\s*(?:([#:]?[A-Za-z_][\w]*|[#:][\w-]+|\d+)|(<>|<=|>=|[=<>(),.[\]+-]))/y;

export class Tokens {
  /** What the expression is called in errors: `ConditionExpression`. */
  readonly kind: string;
  readonly bindings: Bindings;
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(kind: string, text: string, bindings: Bindings) {
    this.kind = kind;
    this.bindings = bindings;
    const bytes = Buffer.byteLength(text);
    if (bytes > bindings.limits.expressionBytes)
      throw this.fault(`Expression size has exceeded the maximum allowed size; expression size: ${bytes}`);
    TOKEN.lastIndex = 0;
    const end = text.trimEnd().length;
    while (TOKEN.lastIndex < end) {
      const from = TOKEN.lastIndex;
      const match = TOKEN.exec(text);
      if (match === null)
        throw this.fault(`Syntax error; token: ${JSON.stringify(text.slice(from).trim()[0])}`);
      this.#tokens.push((match[1] ?? match[2])!);
    }
    if (this.#tokens.length === 0) throw this.fault("The expression can not be empty;");
  }

  fault(what: string) {
    return invalid(`1 validation error detected: Invalid ${this.kind}: ${what}`);
  }

  get next(): string | undefined {
    return this.#tokens[this.#at];
  }

  /** The token after the next one. */
  get second(): string | undefined {
    return this.#tokens[this.#at + 1];
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  take(): string {
    const token = this.next;
    if (token === undefined) throw this.fault("Expected operand, got end of expression");
    this.#at += 1;
    return token;
  }

  isNext(word: string): boolean {
    return this.next?.toUpperCase() === word;
  }

  /** Takes the next token if it is this one; keywords have no case. */
  accept(word: string): boolean {
    const isIt = this.isNext(word);
    if (isIt) this.#at += 1;
    return isIt;
  }

  expect(word: string): void {
    if (!this.accept(word))
      throw this.fault(`Syntax error; token: ${JSON.stringify(this.next ?? "<EOF>")}, expected ${word}`);
  }

  expectEnd(): void {
    if (!this.isAtEnd) throw this.fault(`Syntax error; token: ${JSON.stringify(this.next)}`);
  }

  /** @returns the elements that `read` reads, with commas between them. */
  list<Element>(read: () => Element): Element[] {
    const elements = [read()];
    while (this.accept(",")) elements.push(read());
    return elements;
  }

  path(): Path {
    const parts: (string | number)[] = [this.#name()];
    for (;;) {
      if (this.accept(".")) parts.push(this.#name());
      else if (this.accept("[")) {
        const index = this.take();
        if (!/^\d+$/.test(index)) throw this.fault(`Syntax error; token: ${JSON.stringify(index)}`);
        parts.push(Number(index));
        this.expect("]");
      } else return parts;
    }
  }

  #name(): string {
    const token = this.take();
    if (token.startsWith("#")) return this.bindings.name(token);
    if (!/^[A-Za-z_]/.test(token)) throw this.fault(`Syntax error; token: ${JSON.stringify(token)}`);
    if (this.bindings.limits.refusesReservedWords && isReserved(token))
      throw this.fault(`Attribute name is a reserved keyword; reserved keyword: ${token}`);
    return token;
  }
}
