/** node test/helpers/bpf-compile-times.ts: milliseconds to compile each large expression, as JSON. */
import { compileFilter, FilterSyntaxError } from "@wirelab/engine/bpf/index";
import { LARGE_EXPRESSIONS } from "./bpf-large-expressions.ts";

/** The minimum of several runs, which excludes other load on the machine and V8's warm-up. */
const ROUNDS = 10;

const best: Record<string, number> = {};
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, expression] of Object.entries(LARGE_EXPRESSIONS)) {
    const start = performance.now();
    compileOnce(expression);
    best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, performance.now() - start);
  }
}
console.log(JSON.stringify(best));

/** Evaluates the program once, because V8 compiles a generated function at its first call. */
function compileOnce(expression: string): void {
  try {
    compileFilter(expression)(new Uint8Array(64), 64);
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error;
  }
}
