/**
 * node test/helpers/bpf/cold-compile.ts NAME: compiles the large expression of this name, and prints three times in ms as JSON:
 * the first compilation of the process, the processor time of this thread in it, and the tenth compilation.
 */
import { compileFilter, FilterSyntaxError } from "@wirelab/engine/bpf/index";
import { LARGE_EXPRESSIONS } from "./large-expressions.ts";

const LATER_COMPILATIONS = 9;

const expression = LARGE_EXPRESSIONS[process.argv[2]!]!;
const cpuBefore = process.threadCpuUsage();
const coldMs = measureMs();
const { user, system } = process.threadCpuUsage(cpuBefore);
const laterMs = Array.from({ length: LATER_COMPILATIONS }, measureMs);
console.log(JSON.stringify({ coldMs, coldCpuMs: (user + system) / 1000, warmMs: laterMs.at(-1) }));

function measureMs(): number {
  const start = performance.now();
  compileOnce();
  return performance.now() - start;
}

/** Evaluates the program once, because V8 compiles a generated function at its first call. */
function compileOnce(): void {
  try {
    compileFilter(expression)(new Uint8Array(64), 64);
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error;
  }
}
