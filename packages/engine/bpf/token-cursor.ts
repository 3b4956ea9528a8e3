/** A position in the token list, shared by all parts of the parser. */
import { FilterSyntaxError, type Span } from "./errors.ts";
import { tokenize } from "./lexer.ts";
import { ELSEWHERE_WORDS, type Token, type TokenKind } from "./tokens.ts";

/** Levels of parentheses, brackets, `not` and unary minus. libpcap's own limit, its parser stack, is about 10,000. */
export const MAX_NESTING = 200;

export class TokenCursor {
  readonly expression: string;
  readonly #tokens: readonly Token[];
  #index = 0;
  #depth = 0;

  constructor(expression: string) {
    this.expression = expression;
    this.#tokens = tokenize(expression);
  }

  get token(): Token {
    return this.#tokens[this.#index]!;
  }

  get kind(): TokenKind {
    return this.token.kind;
  }

  get atEnd(): boolean {
    return this.token.kind === "end";
  }

  /** The kind of the token after this one. */
  get nextKind(): TokenKind {
    return (this.#tokens[this.#index + 1] ?? this.token).kind;
  }

  /** Returns this token and advances, but never past the end token. */
  take(): Token {
    const token = this.token;
    if (token.kind !== "end") this.#index += 1;
    return token;
  }

  takeIf(kind: TokenKind): Token | null {
    return this.kind === kind ? this.take() : null;
  }

  expect(kind: TokenKind, expected: string): Token {
    return this.kind === kind ? this.take() : this.fail([expected]);
  }

  /** From `start` to the token just taken. */
  spanFrom(start: Token): Span {
    const last = this.#tokens[Math.max(0, this.#index - 1)]!;
    return { start: start.start, end: Math.max(start.end, last.end) };
  }

  /** Runs `parse` one level deeper; rejects a depth that could overflow the JavaScript stack. */
  nested<T>(parse: () => T): T {
    if (this.#depth >= MAX_NESTING) {
      const reason = `the expression nests more than ${MAX_NESTING} levels deep`;
      throw new FilterSyntaxError(this.expression, { code: "bpf.too-complex", reason, span: this.token });
    }
    this.#depth += 1;
    const result = parse();
    this.#depth -= 1;
    return result;
  }

  /** Throws a FilterSyntaxError for the current token. */
  fail(expected: readonly string[]): never {
    const token = this.token;
    const purpose = token.kind === "elsewhere" ? ELSEWHERE_WORDS.get(token.text) : undefined;
    if (purpose !== undefined) {
      const reason = `"${token.text}" is for ${purpose} only`;
      throw new FilterSyntaxError(this.expression, { code: "bpf.unsupported", reason, span: token });
    }
    const reason = token.kind === "end" ? "the expression ends too early" : `unexpected "${token.text}"`;
    throw new FilterSyntaxError(this.expression, {
      code: "bpf.unexpected-token",
      reason,
      span: token,
      expected,
    });
  }
}
