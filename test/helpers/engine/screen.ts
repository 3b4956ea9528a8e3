/** A terminal's screen: applies printed text as far as the service prints any: printable characters, CR, LF, BS, CUP and ED, EL. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: ESC begins the sequences that a terminal obeys.
const PARTS = /\x1b\[[0-9;]*[A-Za-z]|[\s\S]/g;

export class Screen {
  #rows: string[] = [""];
  #column = 0;

  print(text: string): this {
    for (const [part] of text.matchAll(PARTS)) this.#put(part);
    return this;
  }

  /** The rows without spaces at their ends. */
  get rows(): string[] {
    return this.#rows.map((row) => row.trimEnd());
  }

  /** The last row with `|` at the cursor, without spaces at its end. */
  get line(): string {
    const row = this.#rows.at(-1)!.padEnd(this.#column);
    return `${row.slice(0, this.#column)}|${row.slice(this.#column).trimEnd()}`;
  }

  #put(part: string): void {
    switch (part) {
      case "\r":
        this.#column = 0;
        break;
      case "\n":
        this.#rows.push("");
        break;
      case "\b":
        this.#column = Math.max(0, this.#column - 1);
        break;
      case "\x1b[H":
        this.#column = 0;
        break;
      case "\x1b[2J":
        this.#rows = [""];
        break;
      case "\x1b[K":
        this.#write(this.#rows.at(-1)!.slice(0, this.#column));
        break;
      default:
        if (part.startsWith("\x1b")) return;
        this.#overwrite(part);
    }
  }

  #overwrite(character: string): void {
    const row = this.#rows.at(-1)!.padEnd(this.#column);
    this.#write(row.slice(0, this.#column) + character + row.slice(this.#column + 1));
    this.#column += 1;
  }

  #write(row: string): void {
    this.#rows[this.#rows.length - 1] = row;
  }
}
