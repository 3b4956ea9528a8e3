/** Reads the tokens of an action, one by one. */
import { type Spot, TemplateFault } from "./fault.ts";
import type { Token } from "./tokens.ts";

export class TokenReader {
  readonly #tokens: readonly Token[];
  readonly #spot: Spot;
  #at = 0;

  /** @param spot of the action. */
  constructor(tokens: readonly Token[], spot: Spot) {
    this.#tokens = tokens;
    this.#spot = spot;
  }

  /** The word that the action begins with. */
  get first(): string | undefined {
    return this.#tokens[0]?.kind === "word" ? this.#tokens[0].text : undefined;
  }

  /** The place of the next token; after the last one, the place of the action. */
  get spot(): Spot {
    return this.peek()?.spot ?? this.#spot;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  get isAtEndOfCommand(): boolean {
    return this.isAtEnd || this.#isSign("|") || this.#isSign(")");
  }

  peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  next(): Token {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new TemplateFault("ends in the middle of an action.", this.#spot);
    this.#at += 1;
    return token;
  }

  /** Takes the sign if it is next. */
  take(sign: string): boolean {
    const isNext = this.#isSign(sign);
    if (isNext) this.#at += 1;
    return isNext;
  }

  finish(): void {
    const token = this.peek();
    if (token !== undefined)
      throw new TemplateFault(`has ${JSON.stringify(token.text)}, which is too much there.`, token.spot);
  }

  nameOfTemplate(): string {
    const token = this.next();
    if (token.kind !== "text") throw new TemplateFault("needs the name of a template in quotes.", token.spot);
    return token.text;
  }

  /** `$x :=`, `$x =`, `$index, $element :=` */
  declaration(most: number): { readonly names: readonly string[]; readonly assigns: boolean } {
    const start = this.#at;
    const names: string[] = [];
    while (this.peek()?.kind === "variable" && names.length < most) {
      names.push(this.next().text);
      if (!this.take(",")) break;
    }
    const declares = this.take(":=");
    if (names.length > 0 && (declares || this.take("="))) return { names, assigns: !declares };
    this.#at = start;
    return { names: [], assigns: false };
  }

  #isSign(sign: string): boolean {
    const token = this.peek();
    return token?.kind === "sign" && token.text === sign;
  }
}
