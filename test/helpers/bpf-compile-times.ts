/** node test/helpers/bpf-compile-times.ts: milliseconds to compile each large expression, as JSON. */
import { compileFilter, FilterSyntaxError } from "../../functions/engine/bpf/index.ts";
import { LARGE_EXPRESSIONS } from "./bpf-large-expressions.ts";

/** The best of several: what else the machine is doing is not the compiler's time, and neither is V8 warming up. */
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

/** With one evaluation, as V8 compiles a generated function when it is first called. */
function compileOnce(expression: string): void {
  try {
    compileFilter(expression)(new Uint8Array(64), 64);
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error;
  }
}
