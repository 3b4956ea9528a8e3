/** Rows of a CSV trace: `time` and one or more of `rate`, `delay`, `jitter` and `loss`. An empty cell changes nothing. */
import { type Checking, type Path, shown } from "./parse-fields.ts";

const COLUMNS = ["time", "rate", "delay", "jitter", "loss"];
const MAX_ROWS = 100_000;

export interface TraceRow {
  readonly time: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly place: Path;
}

/** @returns no rows after it has reported why not. */
export function readTraceRows(text: unknown, path: Path, checking: Checking): TraceRow[] {
  const fail = (message: string): TraceRow[] => {
    checking.problems.push({ path, message });
    return [];
  };
  if (typeof text !== "string") return fail(`must be text, got ${shown(text)}.`);
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const columns = (lines[0] ?? "").split(",").map((name) => name.trim());
  const unknown = columns.find((name) => !COLUMNS.includes(name));
  if (unknown !== undefined || !columns.includes("time") || new Set(columns).size < columns.length)
    return fail(
      `must begin with a line that names the columns, time and some of ${COLUMNS.slice(1).join(", ")}.`,
    );
  if (lines.length < 2 || lines.length > MAX_ROWS) return fail(`must have 1 to ${MAX_ROWS} rows.`);
  return lines.slice(1).map((line, index) => {
    const cells = line.split(",").map((cell) => cell.trim());
    const place = [...path, index + 1];
    if (cells.length !== columns.length)
      checking.problems.push({
        path: place,
        message: `must have ${columns.length} cells, got ${cells.length}.`,
      });
    const row = Object.fromEntries(
      columns.map((name, at) => [name, cells[at] ?? ""]).filter(([, cell]) => cell !== ""),
    );
    const { time = "", rate, delay, jitter, loss } = row as Partial<Record<string, string>>;
    const settings = {
      ...(rate !== undefined && { rate }),
      ...((delay !== undefined || jitter !== undefined) && {
        delay: { delay: delay ?? 0, jitter: jitter ?? 0 },
      }),
      ...(loss !== undefined && { loss }),
    };
    return { time, settings, place };
  });
}
