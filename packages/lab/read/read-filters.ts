/** Reads a link's filters: the values of the interface, as lists or as scalars; a delay may have a unit. */
import { parseFilterSettings } from "@wirelab/engine/link/filters/index";
import type { Path, Problems } from "../file/problem.ts";
import type { CompiledFilters } from "../model/lab-model.ts";
import { parseMs } from "../model/quantity.ts";
import type { Expressions } from "./expressions.ts";

export const NO_FILTERS: CompiledFilters = { settings: {}, bpfPredicates: [] };

/** @returns undefined after it has reported problems. */
export function readFilters(
  data: Readonly<Record<string, unknown>> | null | undefined,
  path: Path,
  expressions: Expressions,
  problems: Problems,
): CompiledFilters | undefined {
  if (!data) return NO_FILTERS;
  const listed = Object.fromEntries(
    Object.entries(data).map(([type, value]) => [
      type,
      (Array.isArray(value) ? value : [value]).map(toValue(type)),
    ]),
  );
  const parsed = parseFilterSettings(listed, {
    compileBpf: (expression) => expressions.compile(expression, path),
  });
  if (parsed.ok) return parsed;
  for (const problem of parsed.problems) {
    const [type, ...rest] = problem.path;
    const where = Array.isArray(data[String(type)]) ? rest : [];
    problems.add(
      [...path, ...(type === undefined ? [] : [type]), ...where],
      problem.message.replace(`${problem.filter}: `, ""),
    );
  }
  return undefined;
}

/** Converts a delay with a unit to the milliseconds of the interface. */
const toValue =
  (type: string) =>
  (value: unknown): unknown => {
    if (typeof value === "string" && type === "delay" && /[a-z]$/.test(value)) return parseMs(value) ?? value;
    return typeof value === "string" && /^[0-9]+ ?%$/.test(value) ? Number.parseInt(value, 10) : value;
  };
