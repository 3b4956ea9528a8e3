/**
 * `npm run rehearse`: synthesizes the stack for each combination of settings, and holds its templates to what AWS checks when it creates
 * them. `npm run rehearse -- FOLDER` does so for one cloud assembly, such as cdk.out. Exits with 1 if AWS would refuse one.
 */
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { performance } from "node:perf_hooks";
import { Worker } from "node:worker_threads";
import { readAssembly } from "./assemble.ts";
import { oversizedCode } from "./code-size.ts";
import { combinations, describeCombination } from "./combinations.ts";
import { problemsIn, type Rehearsal, sizeOf } from "./rehearsal.ts";

/** Loading the CDK takes as long as a few combinations, so few threads make all of them. */
const THREADS = Math.min(availableParallelism(), 4);

function report(title: string, { size, problems }: Rehearsal): void {
  console.log(`${problems.length === 0 ? "ok     " : "refused"} ${size}  ${title}`);
  for (const problem of problems) console.log(`        ${problem}`);
}

async function rehearseAll(): Promise<number> {
  const started = performance.now();
  const waiting = [...combinations()];
  const count = waiting.length;
  let refused = 0;
  const work = async (): Promise<void> => {
    const thread = new Worker(new URL("./worker.ts", import.meta.url));
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      thread.postMessage(next);
      const [rehearsal] = (await once(thread, "message")) as [Rehearsal];
      report(describeCombination(next), rehearsal);
      if (rehearsal.problems.length > 0) refused++;
    }
    await thread.terminate();
  };
  await Promise.all(Array.from({ length: THREADS }, work));
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(
    `${count - refused} of ${count} combinations would be created, ${refused} refused, in ${seconds} s`,
  );
  return refused;
}

async function rehearseAssembly(folder: string): Promise<number> {
  const templates = readAssembly(folder);
  const problems = [...(await problemsIn(templates)), ...oversizedCode(folder)];
  report(folder, { size: sizeOf(templates), problems });
  return problems.length;
}

const [folder] = process.argv.slice(2);
process.exitCode = (folder === undefined ? await rehearseAll() : await rehearseAssembly(folder)) > 0 ? 1 : 0;
