/** The text that a template makes, with the place in the template for each of its lines. */
import type { Place } from "../model/place.ts";
import { type Spot, TemplateFault } from "./fault.ts";
import { MOST_CHARACTERS } from "./values.ts";

interface Line extends Place {
  /** The characters at its start that stand so in the template. */
  readonly copied: number;
}

export class WrittenText {
  readonly #parts: string[] = [];
  readonly #lines: (Line | undefined)[] = [undefined];
  #length = 0;

  get text(): string {
    return this.#parts.join("");
  }

  /** Adds a text of the template. */
  copy(text: string, spot: Spot): void {
    this.#write(text, (index) => ({
      line: spot.line + index,
      column: index === 0 ? spot.column : 1,
      isCopied: true,
    }));
  }

  /** Adds what an action prints. */
  print(text: string, { line, column }: Spot): void {
    this.#write(text, () => ({ line, column, isCopied: false }));
  }

  #write(text: string, placeOf: (index: number) => Place & { readonly isCopied: boolean }): void {
    this.#length += text.length;
    if (this.#length > MOST_CHARACTERS)
      throw new TemplateFault(`makes more than ${MOST_CHARACTERS} characters.`);
    this.#parts.push(text);
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) this.#lines.push(undefined);
      if (part === "" || this.#lines.at(-1) !== undefined) continue;
      const { line, column, isCopied } = placeOf(index);
      this.#lines[this.#lines.length - 1] = { line, column, copied: isCopied ? part.length : 0 };
    }
  }

  /** Returns where in the template the character at a place of the text comes from; in what an action printed, where the line does. */
  sourceOf({ line, column }: Place): Place {
    const known = this.#lines[line - 1];
    if (known === undefined)
      return { line: this.#lines.findLast((each) => each !== undefined)?.line ?? 1, column: 1 };
    return { line: known.line, column: known.column + Math.min(column - 1, known.copied) };
  }
}
