/** Compiles text to a BPF program: parse, lower, optimise, assemble, check. */
import { assemble } from "./assemble.ts";
import { type FilterErrorCode, FilterSyntaxError } from "./errors.ts";
import { ALU, type BpfProgram, DIV, K, MOD } from "./instructions.ts";
import type { LinkType } from "./link-types.ts";
import { lower, REJECT } from "./lower/lower.ts";
import { optimize } from "./optimize/optimize.ts";
import { OptimizerFault } from "./optimize/progress.ts";
import { type PackedProgram, unpack } from "./packed-program.ts";
import { parse } from "./parser.ts";

export type CompileOptions = {
  /** False leaves out the optimiser, as `tcpdump -O` does. For tests and listings. */
  readonly optimize?: boolean;
};

/** Returns the program libpcap 1.10 makes of this expression for a saved capture. Throws only FilterSyntaxError. */
export function compileProgram(
  expression: string,
  linkType: LinkType = "DLT_EN10MB",
  options: CompileOptions = {},
): BpfProgram {
  return unpack(compilePacked(expression, linkType, options));
}

/** Does the same without one object per instruction. */
export function compilePacked(
  expression: string,
  linkType: LinkType,
  options: CompileOptions = {},
): PackedProgram {
  const { root, mayOptimize } = lower(expression, parse(expression), linkType);
  const optimized = mayOptimize && options.optimize !== false;
  const program = assemble(optimized ? optimizeOrFail(expression, root) : root);
  if (optimized && program.length === 1 && program.constants[0] === REJECT) {
    throw fault(expression, "bpf.rejects-all", "the expression can match no packet");
  }
  if (dividesByZero(program)) {
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

const DIVISIONS = [ALU | DIV | K, ALU | MOD | K];

/** libpcap checks a program again on installation. Division by zero is the only one of these checks that can fail here. */
function dividesByZero({ codes, constants }: PackedProgram): boolean {
  return DIVISIONS.some((division) => {
    let at = codes.indexOf(division);
    while (at >= 0 && constants[at] !== 0) at = codes.indexOf(division, at + 1);
    return at >= 0;
  });
}

/** Makes an error that concerns the whole expression. */
function fault(expression: string, code: FilterErrorCode, reason: string): FilterSyntaxError {
  return new FilterSyntaxError(expression, { code, reason, span: { start: 0, end: expression.length } });
}
