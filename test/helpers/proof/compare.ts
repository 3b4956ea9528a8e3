/** Compares the results of simulated PCs with those of real ones. An exception must explain every difference. */
import { conversationOf, type SentRow } from "./rows.ts";
import { describeStep, namedLines, type Step, type StepRecord } from "./steps.ts";

/** A permitted difference, and the reason. */
interface Exception {
  readonly reason: string;
  /** The release of the real program that it applies to; absent: every release. */
  readonly release?: string;
  /** Applies to commands with matching text. */
  readonly commands: RegExp;
}

export interface FieldException extends Exception {
  readonly fields: readonly string[];
  /** Selects frames by the real one's row. Absent: all frames. */
  readonly frames?: (row: SentRow) => boolean;
  /** Returns true if the two values are a permitted difference. */
  readonly agree: (real: string, ours: string) => boolean;
}

/** Frames that only one side sends; they are removed before the others are compared. */
export interface FrameException extends Exception {
  readonly sentBy: "real" | "ours";
  readonly frames: (row: SentRow) => boolean;
  /** The maximum number of them for a command of one PC. */
  readonly atMost: number;
}

/** Text that differs, and its replacement on both sides. */
export interface TextException extends Exception {
  readonly printedBy: "real" | "ours" | "both";
  readonly text: RegExp;
  readonly becomes: string;
}

export interface Exceptions {
  readonly fields: readonly FieldException[];
  readonly frames: readonly FrameException[];
  readonly texts: readonly TextException[];
}

/** Groups frames of two PCs that act at once by cause: their requests and replies may cross. */
const partOf = ({ from, fields }: SentRow): string => `, ICMP type ${fields["icmp.type"]} from ${from}`;

export class Comparison {
  readonly #exceptions: Exceptions;
  readonly #used = new Set<Exception>();

  constructor(exceptions: Exceptions) {
    this.#exceptions = exceptions;
  }

  /** Reasons of the exceptions that have not been needed so far. */
  get unused(): string[] {
    const { fields, frames, texts } = this.#exceptions;
    return [...fields, ...frames, ...texts]
      .filter((exception) => !this.#used.has(exception))
      .map(({ reason }) => reason);
  }

  /** The differences in a step's frames that no exception explains, one line each. */
  frameDifferences(step: Step, real: readonly SentRow[], ours: readonly SentRow[]): string[] {
    const command = describeStep(step);
    // The order of two PCs that act at once is undefined.
    const isConcurrent = namedLines(step).length !== 1;
    const nameOf = (row: SentRow): string => conversationOf(row) + (isConcurrent ? partOf(row) : "");
    const realRows = this.#withoutExtra(command, "real", real);
    const ourRows = this.#withoutExtra(command, "ours", ours);
    return [...new Set([...realRows, ...ourRows].map(nameOf))].flatMap((name) => {
      const isPart = (row: SentRow): boolean => nameOf(row) === name;
      const pair = [realRows.filter(isPart), ourRows.filter(isPart)] as const;
      return this.#compareConversation(command, `${command} | ${name}`, ...pair);
    });
  }

  /** The output of each side after the exceptions' replacements; for `expect(ours).toEqual(real)`. */
  texts(real: StepRecord, ours: StepRecord): { real: object; ours: object } {
    const command = describeStep(real.step);
    return {
      real: this.#alike(command, "real", real.printed),
      ours: this.#alike(command, "ours", ours.printed),
    };
  }

  #compareConversation(
    command: string,
    place: string,
    real: readonly SentRow[],
    ours: readonly SentRow[],
  ): string[] {
    if (real.length !== ours.length) {
      return [`${place}: ${real.length} frames of the real ones, ${ours.length} of ours`];
    }
    return real.flatMap((row, index) => {
      const differences = this.#compareRows(command, row, ours[index]!);
      return differences.map((difference) => `${place} | frame ${index + 1}: ${difference}`);
    });
  }

  #compareRows(command: string, real: SentRow, ours: SentRow): string[] {
    if (real.from !== ours.from) return [`the real one is from ${real.from}, ours from ${ours.from}`];
    return Object.entries(real.fields)
      .map(([field, value]) => ({ field, value, ourValue: ours.fields[field]! }))
      .filter(({ value, ourValue }) => value !== ourValue)
      .filter(({ field, value, ourValue }) => !this.#isExplained(command, real, field, value, ourValue))
      .map(({ field, value, ourValue }) => `${field} is ${value || "absent"}, ours ${ourValue || "absent"}`);
  }

  #isExplained(command: string, row: SentRow, field: string, real: string, ours: string): boolean {
    const exception = this.#exceptions.fields.find(
      ({ commands, fields, frames, agree }) =>
        commands.test(command) && fields.includes(field) && (frames?.(row) ?? true) && agree(real, ours),
    );
    if (exception !== undefined) this.#used.add(exception);
    return exception !== undefined;
  }

  #withoutExtra(command: string, side: "real" | "ours", rows: readonly SentRow[]): SentRow[] {
    const exceptions = this.#exceptions.frames.filter(
      ({ sentBy, commands }) => sentBy === side && commands.test(command),
    );
    return exceptions.reduce<SentRow[]>(
      (left, exception) => {
        const extra = left.filter(exception.frames).slice(-exception.atMost);
        if (extra.length > 0) this.#used.add(exception);
        return left.filter((row) => !extra.includes(row));
      },
      [...rows],
    );
  }

  #alike(command: string, side: "real" | "ours", printed: StepRecord["printed"]): object {
    const exceptions = this.#exceptions.texts.filter(
      ({ printedBy, commands }) =>
        printedBy !== (side === "real" ? "ours" : "real") && commands.test(command),
    );
    const alike = (text: string): string =>
      exceptions.reduce((changed, exception) => {
        const result = changed.replace(exception.text, exception.becomes);
        if (result !== changed) this.#used.add(exception);
        return result;
      }, text);
    return Object.fromEntries(Object.entries(printed).map(([name, text]) => [name, alike(text)]));
  }
}
