/**
 * Blocks to a linear program. Blocks are laid out as libpcap does - each before its targets, the true side first - so
 * that listings can be compared line by line. Conditional jumps reach 255 instructions; longer ones go through a JA.
 */
import { type Block, type Statement, UNPLACED } from "./flow.ts";
import { type BpfProgram, classOf, type Instruction, JA, JMP, K } from "./instructions.ts";

/** The code of a statement the optimiser has removed. Those of instructions have eight bits. */
export const REMOVED = 0x100;

const MAX_JUMP = 255;

/** The state of a block whose targets are being placed. */
const OPEN = -2;

/** Which jumps of a branch are longer than it reaches, as bits. */
const LONG_TRUE = 1;
const LONG_FALSE = 2;

/** All blocks, the program's last one first, and the long jumps of each. */
type Layout = { readonly blocks: Block[]; readonly longJumps: number[] };

/** Marks the blocks, so once only for a graph. */
export function assemble(root: Block): BpfProgram {
  const { blocks, longJumps } = layOut(root);
  const program: Instruction[] = [];
  for (let at = blocks.length - 1; at >= 0; at -= 1) {
    const block = blocks[at]!;
    encodeStatements(block.statements, program);
    encodeBranch(block, root.fromEnd - program.length, longJumps[at]!, program);
  }
  return program;
}

/**
 * From the end backwards, a block after its false side, then its true side: all jumps go forward, so every distance is
 * known when it is needed. Without recursion, as chains may be long.
 */
function layOut(root: Block): Layout {
  const layout: Layout = { blocks: [], longJumps: [] };
  let fromEnd = 0;
  const stack: Block[] = [root];
  root.fromEnd = OPEN;
  while (stack.length > 0) {
    const block = stack[stack.length - 1]!;
    const target = targetWithoutPlace(block);
    if (target === null) {
      stack.pop();
      const longJumps = findLongJumps(block, fromEnd);
      fromEnd += countPresent(block.statements) + branchLength(longJumps);
      block.fromEnd = fromEnd;
      layout.blocks.push(block);
      layout.longJumps.push(longJumps);
    } else {
      target.fromEnd = OPEN;
      stack.push(target);
    }
  }
  return layout;
}

function targetWithoutPlace({ onTrue, onFalse }: Block): Block | null {
  if (onFalse.to !== null && onFalse.to.fromEnd === UNPLACED) return onFalse.to;
  return onTrue.to !== null && onTrue.to.fromEnd === UNPLACED ? onTrue.to : null;
}

function countPresent(statements: readonly Statement[]): number {
  let count = 0;
  for (let at = 0; at < statements.length; at += 1) if (statements[at]!.code !== REMOVED) count += 1;
  return count;
}

/** Of a branch whose last instruction ends `fromEnd` instructions before the end. */
function findLongJumps({ onTrue, onFalse }: Block, fromEnd: number): number {
  if (onTrue.to === null) return 0;
  const toTrue = fromEnd - onTrue.to.fromEnd;
  const toFalse = fromEnd - onFalse.to!.fromEnd;
  // A JA for one of the two makes the way to the other longer.
  const isFalseLong = toFalse + Number(toTrue > MAX_JUMP) > MAX_JUMP;
  const isTrueLong = toTrue + Number(isFalseLong) > MAX_JUMP;
  return (isTrueLong ? LONG_TRUE : 0) | (isFalseLong ? LONG_FALSE : 0);
}

/** With the JAs behind it. */
function branchLength(longJumps: number): number {
  return 1 + (longJumps & LONG_TRUE) + (longJumps >> 1);
}

function encodeStatements(statements: readonly Statement[], program: Instruction[]): void {
  for (let at = 0; at < statements.length; at += 1) {
    const { code, k } = statements[at]!;
    if (code === REMOVED) continue;
    const isBranch = classOf(code) === JMP && code !== (JMP | JA | K);
    program.push(isBranch ? encodeInnerBranch(statements, at) : { code, jt: 0, jf: 0, k });
  }
}

/** A branch inside a block, in which nothing has been removed. */
function encodeInnerBranch(statements: readonly Statement[], at: number): Instruction {
  const { code, k, jt, jf } = statements[at]!;
  const reach = (target: Statement | null): number =>
    target === null ? 0 : statements.indexOf(target) - at - 1;
  return { code, jt: reach(jt), jf: reach(jf), k };
}

/** The branch that starts `fromEnd` instructions before the program's end, and the JAs behind it, the true side's first. */
function encodeBranch(
  { code, k, onTrue, onFalse }: Block,
  fromEnd: number,
  longJumps: number,
  program: Instruction[],
): void {
  if (onTrue.to === null) {
    program.push({ code, jt: 0, jf: 0, k });
    return;
  }
  const toTrue = fromEnd - 1 - onTrue.to.fromEnd;
  const toFalse = fromEnd - 1 - onFalse.to!.fromEnd;
  const isTrueLong = (longJumps & LONG_TRUE) !== 0;
  const isFalseLong = (longJumps & LONG_FALSE) !== 0;
  const toFalseJump = isTrueLong ? 1 : 0;
  program.push({ code, jt: isTrueLong ? 0 : toTrue, jf: isFalseLong ? toFalseJump : toFalse, k });
  if (isTrueLong) program.push(jumpAlways(toTrue - 1));
  if (isFalseLong) program.push(jumpAlways(toFalse - toFalseJump - 1));
}

function jumpAlways(distance: number): Instruction {
  return { code: JMP | JA | K, jt: 0, jf: 0, k: distance };
}
