/** Holds one combination of settings to the rules. */
import { LocalProblem } from "../local/problem.ts";
import { assemble } from "./assemble.ts";
import type { Combination } from "./pairs.ts";
import { problemsOf } from "./rules.ts";
import type { StackTemplate } from "./template.ts";

export interface Rehearsal {
  /** The size of the largest template: `300 resources, 467 KB`. */
  readonly size: string;
  readonly problems: readonly string[];
}

export const problemsIn = async (templates: readonly StackTemplate[]): Promise<readonly string[]> =>
  (await Promise.all(templates.map(problemsOf))).flat();

export function sizeOf(templates: readonly StackTemplate[]): string {
  const [largest] = templates.toSorted((one, other) => other.text.length - one.text.length);
  return largest
    ? `${Object.keys(largest.resources).length} resources, ${Math.round(largest.text.length / 1_000)} KB`
    : "no template";
}

export async function rehearse(combination: Combination): Promise<Rehearsal> {
  try {
    const templates = await assemble(combination);
    return { size: sizeOf(templates), problems: await problemsIn(templates) };
  } catch (error) {
    if (!(error instanceof LocalProblem)) throw error;
    return { size: sizeOf([]), problems: [`synthesis: ${error.message}`] };
  }
}
