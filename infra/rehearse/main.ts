/**
 * `npm run rehearse`: synthesizes the stack for each combination of settings, and holds its templates to what AWS checks when it creates
 * them. `npm run rehearse -- FOLDER` does so for one cloud assembly, such as cdk.out. Exits with 1 if AWS would refuse one.
 */
import { availableParallelism } from "node:os";
import { performance } from "node:perf_hooks";
import { LocalProblem } from "../local/problem.ts";
import { assemble, readAssembly } from "./assemble.ts";
import { oversizedCode } from "./code-size.ts";
import { combinations, describeCombination } from "./combinations.ts";
import type { Combination } from "./pairs.ts";
import { problemsOf } from "./rules.ts";
import type { StackTemplate } from "./template.ts";

/** One processor holds templates to the rules while the others synthesize. */
const AT_ONCE = Math.max(2, availableParallelism());

const problemsIn = async (templates: readonly StackTemplate[]): Promise<readonly string[]> =>
  (await Promise.all(templates.map(problemsOf))).flat();

async function rehearse(
  combination: Combination,
): Promise<{ templates: readonly StackTemplate[]; problems: readonly string[] }> {
  try {
    const templates = await assemble(combination);
    return { templates, problems: await problemsIn(templates) };
  } catch (error) {
    if (!(error instanceof LocalProblem)) throw error;
    return { templates: [], problems: [`synthesis: ${error.message}`] };
  }
}

function report(title: string, templates: readonly StackTemplate[], problems: readonly string[]): void {
  const [largest] = templates.toSorted((one, other) => other.text.length - one.text.length);
  const size = largest
    ? `${Object.keys(largest.resources).length} resources, ${Math.round(largest.text.length / 1_000)} KB`
    : "no template";
  console.log(`${problems.length === 0 ? "ok     " : "refused"} ${size}  ${title}`);
  for (const problem of problems) console.log(`        ${problem}`);
}

async function rehearseAll(): Promise<number> {
  const started = performance.now();
  const waiting = [...combinations()];
  const count = waiting.length;
  let refused = 0;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { templates, problems } = await rehearse(next);
      report(describeCombination(next), templates, problems);
      if (problems.length > 0) refused++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(
    `${count - refused} of ${count} combinations would be created, ${refused} refused, in ${seconds} s`,
  );
  return refused;
}

async function rehearseAssembly(folder: string): Promise<number> {
  const templates = readAssembly(folder);
  const problems = [...(await problemsIn(templates)), ...oversizedCode(folder)];
  report(folder, templates, problems);
  return problems.length;
}

const [folder] = process.argv.slice(2);
process.exitCode = (folder === undefined ? await rehearseAll() : await rehearseAssembly(folder)) > 0 ? 1 : 0;
