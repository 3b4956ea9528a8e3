/** Values that are lists: packet numbers, distribution tables, traces of delivery opportunities. */

const MAX_LISTED = 10_000;
const MAX_TABLE = 65_536;
const MAX_OPPORTUNITIES = 200_000;
const NS_PER_MS = 1_000_000;

/** Parses `[3, "10-12"]` to ascending ranges; undefined if it is none. */
export function parsePackets(value: unknown): [number, number][] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_LISTED) return undefined;
  const ranges: [number, number][] = [];
  for (const entry of value) {
    const [, from, to] = /^([0-9]+)(?:-([0-9]+))?$/.exec(String(entry)) ?? [];
    const range: [number, number] = [Number(from), Number(to ?? from)];
    if (!(range[0] >= 1 && range[1] >= range[0] && Number.isSafeInteger(range[1]))) return undefined;
    ranges.push(range);
  }
  return ranges.sort((a, b) => a[0] - b[0]);
}

/** Parses a distribution: numbers, or the text of a file with comments after `#`. */
export function parseTable(value: unknown): number[] | undefined {
  const numbers = numbersOf(value, MAX_TABLE);
  return numbers?.every((entry) => Number.isInteger(entry) && Math.abs(entry + 0.5) <= 32_768)
    ? numbers
    : undefined;
}

/** Parses a mahimahi trace, one time in milliseconds a line, to nanoseconds. */
export function parseOpportunities(value: unknown): number[] | undefined {
  const numbers = numbersOf(value, MAX_OPPORTUNITIES);
  if (numbers === undefined || (numbers.at(-1) as number) <= 0 || (numbers.at(-1) as number) > 1e9)
    return undefined;
  let last = 0;
  for (const ms of numbers) {
    if (!(Number.isInteger(ms) && ms >= last)) return undefined;
    last = ms;
  }
  return numbers.map((ms) => ms * NS_PER_MS);
}

function numbersOf(value: unknown, max: number): number[] | undefined {
  const words =
    typeof value === "string"
      ? value
          .replace(/#.*$/gm, "")
          .split(/\s+/)
          .filter((word) => word !== "")
      : value;
  if (!Array.isArray(words) || words.length === 0 || words.length > max) return undefined;
  const numbers = words.map((word) =>
    typeof word === "boolean" || word === null ? Number.NaN : Number(word),
  );
  return numbers.every(Number.isFinite) ? numbers : undefined;
}
