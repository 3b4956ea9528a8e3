/** Formats errors for the user. Recognizes them by their properties, so that describing them loads no further module. */

export const EXIT_OK = 0;
/** Exit code for bad data or a bad expression. */
const EXIT_BAD_DATA = 1;
export const EXIT_USAGE = 2;

const EXCERPT_CHARACTERS = 100;

/** The compiler's line breaks. A printed carriage return would misplace the caret. */
const LINE_BREAK = /\r\n|\n|\r/;

/** An unusable capture, expression or setting. */
export class DataError extends Error {
  override readonly name = "DataError";
}

/** A bad expression, with its text. */
export class ExpressionError extends DataError {
  readonly text: string;
  /** Line and column are 1-based. */
  readonly line: number;
  readonly column: number;

  constructor(text: string, { message, line, column }: { message: string; line: number; column: number }) {
    super(message);
    this.text = text;
    this.line = line;
    this.column = column;
  }
}

/** A capture is cut off in the middle of a packet. The packets before that were processed, and the output is written. */
export class CutOffError extends DataError {
  constructor({ message }: { message: string }, packets: number) {
    super(`${message}; used the ${packets} whole packets before it`);
  }
}

/** The reader of the output has closed its end. */
export class ClosedPipe extends Error {
  override readonly name = "ClosedPipe";
}

export interface FailureReport {
  message: string;
  exitCode: number;
}

/** Returns the message, with its line break, and the exit code. Rethrows programming errors. */
export function describeFailure(error: unknown, command: string | undefined): FailureReport {
  if (!(error instanceof Error)) throw error;
  if (error instanceof ExpressionError) {
    const message = `wirelab: ${error.message}\n${pointAt(error.text, error.line, error.column)}`;
    return { message, exitCode: EXIT_BAD_DATA };
  }
  switch (error.name) {
    case "ClosedPipe":
      return { message: "", exitCode: EXIT_OK };
    case "CommandLineError": {
      const more = command === undefined || error.message.startsWith("unknown command") ? "" : ` ${command}`;
      return {
        message: `wirelab: ${error.message}\nTry "wirelab${more} --help".\n`,
        exitCode: EXIT_USAGE,
      };
    }
    case "LabFileError":
      return { message: `${error.message}\n`, exitCode: EXIT_USAGE };
    case "DataError":
    case "GuestError":
    case "ImageError":
    case "CaptureError":
    case "ReplayError":
      return { message: `wirelab: ${error.message}\n`, exitCode: EXIT_BAD_DATA };
  }
  if ("syscall" in error) return { message: `wirelab: ${error.message}\n`, exitCode: EXIT_BAD_DATA };
  throw error;
}

/**
 * Returns the faulty line with a caret under the column; of a long line, only the part around the column.
 *
 *     tcp prot 80
 *         ^
 */
export function pointAt(text: string, line: number, column: number): string {
  const whole = text.split(LINE_BREAK)[line - 1] ?? "";
  const from =
    whole.length <= EXCERPT_CHARACTERS ? 0 : Math.max(0, column - 1 - Math.floor(EXCERPT_CHARACTERS / 2));
  const shown = whole.slice(from, from + EXCERPT_CHARACTERS);
  const before = shown.slice(0, column - 1 - from).replace(/[^\t]/g, " ");
  return `  ${shown}\n  ${before}^\n`;
}
