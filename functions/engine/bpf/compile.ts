/** From text to a BPF program: parse, lower, optimise, assemble, check. */
import { assemble } from "./assemble.ts";
import { type FilterErrorCode, FilterSyntaxError } from "./errors.ts";
import { ALU, type BpfProgram, classOf, DIV, K, MOD, operationOf, sourceOf } from "./instructions.ts";
import type { LinkType } from "./link-types.ts";
import { lower, REJECT } from "./lower/lower.ts";
import { optimize } from "./optimize/optimize.ts";
import { OptimizerFault } from "./optimize/progress.ts";
import { parse } from "./parser.ts";

export type CompileOptions = {
  /** False leaves out the optimiser, as `tcpdump -O` does. For tests and listings. */
  readonly optimize?: boolean;
};

/** The program libpcap 1.10 makes of this expression for a saved capture. Throws FilterSyntaxError, and nothing else. */
export function compileProgram(
  expression: string,
  linkType: LinkType = "DLT_EN10MB",
  options: CompileOptions = {},
): BpfProgram {
  const { root, mayOptimize } = lower(expression, parse(expression), linkType);
  const optimized = mayOptimize && options.optimize !== false;
  const program = assemble(optimized ? optimizeOrFail(expression, root) : root);
  if (optimized && program.length === 1 && program[0]!.k === REJECT) {
    throw fault(expression, "bpf.rejects-all", "the expression can match no packet");
  }
  if (program.some(dividesByZero)) {
    throw fault(expression, "bpf.invalid-program", "the expression divides by a constant zero");
  }
  return program;
}

function optimizeOrFail(
  expression: string,
  root: Parameters<typeof optimize>[0],
): ReturnType<typeof optimize> {
  try {
    return optimize(root);
  } catch (error) {
    if (error instanceof OptimizerFault) throw fault(expression, error.code, error.message);
    throw error;
  }
}

/** libpcap checks a program once more when it is installed; this is the only check that one of ours can fail. */
function dividesByZero({ code, k }: BpfProgram[number]): boolean {
  if (classOf(code) !== ALU || sourceOf(code) !== K || k !== 0) return false;
  return operationOf(code) === DIV || operationOf(code) === MOD;
}

/** A fault of the whole expression. */
function fault(expression: string, code: FilterErrorCode, reason: string): FilterSyntaxError {
  return new FilterSyntaxError(expression, { code, reason, span: { start: 0, end: expression.length } });
}
