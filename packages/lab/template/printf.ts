/** Go's fmt.Sprintf, for the verbs that templates use. */
import { TemplateFault } from "./fault.ts";
import { checkLength, kindOf, textOf, type Value } from "./values.ts";

const VERB = /%([-+# 0]*)(\d*)(?:\.(\d*))?(.)?/gsu;
const WIDEST = 1_000;

interface Form {
  readonly flags: string;
  readonly precision: number | undefined;
}

export function formatVerbs(format: string, values: readonly Value[]): string {
  let used = 0;
  const text = format.replaceAll(
    VERB,
    (
      whole: string,
      flags: string,
      width: string,
      precision: string | undefined,
      verb: string | undefined,
    ) => {
      if (verb === "%") return "%";
      if (used === values.length) throw new TemplateFault(`lacks a value for ${whole}.`);
      const value = values[used];
      used += 1;
      const size = Number(width);
      if (size > WIDEST || Number(precision ?? 0) > WIDEST)
        throw new TemplateFault(`has ${whole}; the limit is a width of ${WIDEST}.`);
      const form = { flags, precision: precision === undefined ? undefined : Number(precision) };
      const written = write(verb, value, form);
      if (written === undefined)
        throw new TemplateFault(`has ${whole} for ${kindOf(value)}, which is not known here.`);
      return pad(written, size, flags, typeof value === "bigint" || typeof value === "number");
    },
  );
  if (used < values.length) throw new TemplateFault(`has ${values.length} values for ${used} verbs.`);
  return checkLength(text);
}

/** @returns undefined for a verb that the kind of value does not have here. */
function write(verb: string | undefined, value: Value, form: Form): string | undefined {
  if (form.flags.includes("#")) return undefined;
  if (typeof value === "bigint") return writeInteger(verb, value, form);
  if (form.flags.includes("+") || form.flags.includes(" ")) return undefined;
  if (verb === "v" && form.precision === undefined) return textOf(value);
  if (verb === "t" && typeof value === "boolean") return String(value);
  if (typeof value !== "string") return undefined;
  if (verb === "s" || verb === "v") return [...value].slice(0, form.precision).join("");
  return verb === "q" && /^[ !#-[\]-~]*$/.test(value) ? `"${value}"` : undefined;
}

const BASES: Readonly<Record<string, number>> = { d: 10, v: 10, x: 16, X: 16, o: 8, b: 2 };

function writeInteger(
  verb: string | undefined,
  value: bigint,
  { flags, precision }: Form,
): string | undefined {
  const base = BASES[verb ?? ""];
  if (base === undefined) return undefined;
  const size = value < 0n ? -value : value;
  const digits = size.toString(base).padStart(precision ?? 1, "0");
  const sign = value < 0n ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
  return sign + (verb === "X" ? digits.toUpperCase() : digits);
}

function pad(text: string, width: number, flags: string, isNumber: boolean): string {
  const missing = width - [...text].length;
  if (missing <= 0) return text;
  if (flags.includes("-")) return text + " ".repeat(missing);
  if (!flags.includes("0")) return " ".repeat(missing) + text;
  const sign = isNumber ? (/^[-+ ]/.exec(text)?.[0] ?? "") : "";
  return sign + "0".repeat(missing) + text.slice(sign.length);
}
