/** Reads what a link does beyond its filters: the name of a preset, or a map like that of the service's resource. */
import { parseImpairments } from "@wirelab/engine/link/impairments/index";
import type { Path, Problems } from "../file/problem.ts";
import type { CompiledImpairments } from "../model/lab-model.ts";
import type { Expressions } from "./expressions.ts";

export type ImpairmentsData = string | Readonly<Record<string, unknown>>;

/** @returns undefined after it has reported problems. */
export function readImpairments(
  data: ImpairmentsData,
  path: Path,
  expressions: Expressions,
  problems: Problems,
): CompiledImpairments | undefined {
  const settings = typeof data === "string" ? { preset: data } : data;
  const parsed = parseImpairments(settings, {
    compileBpf: (expression) => expressions.compile(expression, path),
  });
  if (parsed.ok) return { settings, impairments: parsed.impairments };
  for (const { path: inside, message } of parsed.problems) {
    problems.add(typeof data === "string" ? path : [...path, ...inside], message);
  }
  return undefined;
}
