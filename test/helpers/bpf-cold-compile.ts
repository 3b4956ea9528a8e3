/**
 * node test/helpers/bpf-cold-compile.ts NAME: milliseconds that the large expression of this name takes to compile as the first
 * one of a process, those of them in which this thread had a processor, and milliseconds as the tenth one, as JSON.
 */
import { compileFilter, FilterSyntaxError } from "../../functions/engine/bpf/index.ts";
import { LARGE_EXPRESSIONS } from "./bpf-large-expressions.ts";

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

/** With one evaluation, as V8 compiles a generated function when it is first called. */
function compileOnce(): void {
  try {
    compileFilter(expression)(new Uint8Array(64), 64);
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error;
  }
}
