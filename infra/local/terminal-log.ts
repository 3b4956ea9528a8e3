/** Prints the functions' logs for `npm start`: one line for each kind of error, or all lines on request. */
import type { Log } from "./lambda-instance.ts";

/** For this time after the first error of a kind, further ones are counted; then their number is printed. */
const REPEATS_MS = 5_000;

interface LoggedError {
  readonly name?: string;
  readonly message?: string;
  readonly code?: string;
  readonly status?: number;
  readonly cause?: LoggedError;
}

interface LogRecord {
  readonly message?: string;
  readonly correlation_id?: string;
  readonly route?: string;
  readonly error?: LoggedError;
}

/** @param print prints an error. @param printAll if defined, receives every line unchanged, and `print` is not called. */
export function makeTerminalLog(
  print: (line: string) => void,
  printAll: ((line: string) => void) | undefined,
): Log {
  const repeats = new Map<string, number>();
  return (level, line, functionName) => {
    if (printAll) return printAll(`${functionName}: ${line}`);
    if (level !== "error") return;
    const record = parseRecord(line);
    if (record === undefined) return print(`${functionName}: ${line}`);
    const kind = describe(record, functionName);
    const seen = repeats.get(kind);
    repeats.set(kind, (seen ?? -1) + 1);
    if (seen !== undefined) return;
    const id = record.correlation_id === undefined ? "" : ` (request ${record.correlation_id})`;
    print(`${kind}${id}`);
    setTimeout(() => {
      const count = repeats.get(kind)!;
      repeats.delete(kind);
      if (count > 0) print(`${kind} (${count} more in ${REPEATS_MS / 1000} s)`);
    }, REPEATS_MS).unref();
  };
}

function parseRecord(line: string): LogRecord | undefined {
  try {
    const record: unknown = JSON.parse(line);
    return typeof record === "object" && record !== null ? record : undefined;
  } catch {
    return undefined;
  }
}

/** `projects.createProject: 503 store.unavailable: Storage ... (TimeoutError: ...)` */
function describe({ message, route, error }: LogRecord, functionName: string): string {
  const where = route ?? functionName;
  if (error === undefined) return `${where}: ${message}`;
  const { code, status, cause } = error;
  const what = code === undefined ? nameOf(error) : `${status} ${code}: ${firstLine(error.message)}`;
  return `${where}: ${what}${cause === undefined ? "" : ` (${nameOf(cause)})`}`;
}

const nameOf = ({ name = "Error", message }: LoggedError): string => `${name}: ${firstLine(message)}`;

const firstLine = (text = ""): string => text.split("\n", 1)[0]!;
