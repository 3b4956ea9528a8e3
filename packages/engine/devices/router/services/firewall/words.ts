/** The words of a rule, from the left. A reader ends with `fail`, and `textOr` returns its message. */

class RuleError extends Error {}

export function fail(message: string): never {
  throw new RuleError(message);
}

/** @returns what `read` returns, or the message of its failure. */
export function textOr<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof RuleError) return error.message;
    throw error;
  }
}

/** Words in lower case, but for those that `takeAsIs` returns. */
export class Words {
  readonly #words: string[];

  constructor(text: string) {
    this.#words = text
      .trim()
      .split(/\s+/)
      .filter((word) => word !== "");
  }

  get next(): string | undefined {
    return this.#words[0]?.toLowerCase();
  }

  take(what: string): string {
    return this.takeAsIs(what).toLowerCase();
  }

  takeAsIs(what: string): string {
    return this.#words.shift() ?? fail(`the rule ends before ${what}`);
  }

  /** Takes the next word if it is `word`. */
  skip(word: string): boolean {
    if (this.next !== word) return false;
    this.#words.shift();
    return true;
  }

  number(what: string, min: number, max: number): number {
    const word = this.take(what);
    const number = /^\d{1,9}$/.test(word) ? Number(word) : Number.NaN;
    return number >= min && number <= max ? number : fail(`${what} must be ${min} to ${max}, not ${word}`);
  }
}
