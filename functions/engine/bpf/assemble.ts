/**
 * Blocks to a linear program. Blocks are laid out as libpcap does - each before its targets, the true side first - so
 * that listings can be compared line by line. Conditional jumps reach 255 instructions; longer ones go through a JA.
 */
import type { Block, Statement } from "./flow.ts";
import { type BpfProgram, classOf, type Instruction, JA, JMP, K, RET } from "./instructions.ts";

/** The code of a statement the optimiser has removed. */
export const REMOVED = -1;

const MAX_JUMP = 255;

/** A block with its statements, and where it starts, counted from the end of the program. */
type Placed = {
  readonly statements: readonly Statement[];
  readonly fromEnd: number;
  readonly branch: readonly Instruction[];
};

export function assemble(root: Block): BpfProgram {
  // All jumps go forward, so placing from the end backwards every distance is known when it is needed.
  const placed = new Map<Block, Placed>();
  let fromEnd = 0;
  const order = layoutFromEnd(root);
  for (const block of order) {
    const statements = presentIn(block.statements);
    const branch = encodeBranch(block, fromEnd, placed);
    fromEnd += statements.length + branch.length;
    placed.set(block, { statements, fromEnd, branch });
  }
  const program: Instruction[] = [];
  for (const block of order.reverse()) {
    const { statements, branch } = placed.get(block)!;
    for (let at = 0; at < statements.length; at += 1) program.push(encodeStatement(statements, at));
    for (const instruction of branch) program.push(instruction);
  }
  return program;
}

function presentIn(statements: readonly Statement[]): readonly Statement[] {
  return statements.length === 0 ? statements : statements.filter(({ code }) => code !== REMOVED);
}

/** A block after its false side, then its true side. Without recursion, as chains may be long. */
function layoutFromEnd(root: Block): Block[] {
  const finished: Block[] = [];
  const seen = new Set<Block>([root]);
  const stack: { readonly block: Block; next: number }[] = [{ block: root, next: 0 }];
  while (stack.length > 0) {
    const frame = stack[stack.length - 1]!;
    const child = frame.next === 0 ? frame.block.onFalse.to : frame.next === 1 ? frame.block.onTrue.to : null;
    frame.next += 1;
    if (frame.next > 2) {
      finished.push(frame.block);
      stack.pop();
    } else if (child !== null && !seen.has(child)) {
      seen.add(child);
      stack.push({ block: child, next: 0 });
    }
  }
  return finished;
}

/** The branch of a block that ends `fromEnd` instructions before the end, with the JAs it needs behind it. */
function encodeBranch(block: Block, fromEnd: number, placed: ReadonlyMap<Block, Placed>): Instruction[] {
  const { code, k } = block;
  if (classOf(code) === RET) return [{ code, jt: 0, jf: 0, k }];
  const toTrue = fromEnd - placed.get(block.onTrue.to!)!.fromEnd;
  const toFalse = fromEnd - placed.get(block.onFalse.to!)!.fromEnd;
  let longTrue = toTrue > MAX_JUMP;
  const longFalse = toFalse + Number(longTrue) > MAX_JUMP;
  longTrue = toTrue + Number(longFalse) > MAX_JUMP;
  const extra = Number(longTrue) + Number(longFalse);
  const jumps: Instruction[] = [];
  const jump = (isLong: boolean, distance: number): number => {
    if (!isLong) return distance + extra;
    jumps.push({ code: JMP | JA | K, jt: 0, jf: 0, k: distance + extra - jumps.length - 1 });
    return jumps.length - 1;
  };
  const jt = jump(longTrue, toTrue);
  const jf = jump(longFalse, toFalse);
  return [{ code, jt, jf, k }, ...jumps];
}

function encodeStatement(statements: readonly Statement[], at: number): Instruction {
  const { code, k, jt, jf } = statements[at]!;
  const reach = (target: Statement | null): number =>
    target === null ? 0 : statements.indexOf(target) - at - 1;
  if (classOf(code) !== JMP || code === (JMP | JA | K)) return { code, jt: 0, jf: 0, k };
  return { code, jt: reach(jt), jf: reach(jf), k };
}
