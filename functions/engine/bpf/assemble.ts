/**
 * Blocks to a linear program. Blocks are laid out as libpcap does - each before its targets, the true side first - so
 * that listings can be compared line by line. Conditional jumps reach 255 instructions; longer ones go through a JA.
 */
import { type Block, type ConstantList, type Statement, UNPLACED } from "./flow.ts";
import { type BpfProgram, classOf, type Instruction, JA, JEQ, JMP, K } from "./instructions.ts";

/** The code of a statement the optimiser has removed. Those of instructions have eight bits. */
export const REMOVED = 0x100;

const MAX_JUMP = 255;

/** The state of a block whose targets are being placed. */
const OPEN = -2;

/** Which jumps of a branch are longer than it reaches, as bits. */
const LONG_TRUE = 1;
const LONG_FALSE = 2;

/** All blocks, and the long jumps of all their branches, the program's last one first. */
type Layout = { readonly blocks: Block[]; readonly longJumps: number[] };

/** Marks the blocks, so once only for a graph. */
export function assemble(root: Block): BpfProgram {
  const { blocks, longJumps } = layOut(root);
  const program: Instruction[] = [];
  for (let at = blocks.length - 1; at >= 0; at -= 1) {
    encodeBlock(blocks[at]!, longJumps, program);
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
      fromEnd = placeBlock(block, fromEnd, layout.longJumps);
      block.fromEnd = fromEnd;
      layout.blocks.push(block);
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

/** Of a block that ends `fromEnd` instructions before the program's end; returns where it begins. */
function placeBlock(
  { statements, onTrue, onFalse, list }: Block,
  fromEnd: number,
  longJumps: number[],
): number {
  const length = countPresent(statements);
  if (onTrue.to === null) return fromEnd + length + 1;
  let start = fromEnd;
  let next = onFalse.to!.fromEnd;
  for (let left = list === null ? 1 : list.values.length; left > 0; left -= 1) {
    const long = findLongJumps(start - onTrue.to.fromEnd, start - next);
    longJumps.push(long);
    start += length + branchLength(long);
    next = start;
  }
  return start;
}

/** Of a branch with so many instructions between its end and its targets. */
function findLongJumps(toTrue: number, toFalse: number): number {
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

/** Takes the long jumps of its branches from the end of `longJumps`. */
function encodeBlock(block: Block, longJumps: number[], program: Instruction[]): void {
  const { statements, code, k, list, onTrue, onFalse, fromEnd } = block;
  if (list !== null) {
    encodeList(block, list, longJumps, program);
    return;
  }
  const start = program.length;
  encodeStatements(statements, program);
  if (onTrue.to === null) {
    program.push({ code, jt: 0, jf: 0, k });
    return;
  }
  const from = fromEnd - (program.length - start) - 1;
  const jumps = { jt: from - onTrue.to.fromEnd, jf: from - onFalse.to!.fromEnd };
  encodeBranch({ code, ...jumps, k }, longJumps.pop()!, program);
}

/** The statements and a JEQ for each value, each the false side of the one before it. */
function encodeList(
  { statements, onTrue, onFalse, fromEnd }: Block,
  { values }: ConstantList,
  longJumps: number[],
  program: Instruction[],
): void {
  const length = countPresent(statements);
  let start = fromEnd;
  for (let at = 0; at < values.length; at += 1) {
    const long = longJumps.pop()!;
    const from = start - length - 1;
    start = from + 1 - branchLength(long);
    const whenFalse = at === values.length - 1 ? onFalse.to!.fromEnd : start;
    encodeStatements(statements, program);
    const jumps = { jt: from - onTrue.to!.fromEnd, jf: from - whenFalse };
    encodeBranch({ code: JMP | JEQ | K, ...jumps, k: values[at]! }, long, program);
  }
}

/** A branch whose jumps may be longer than it reaches, and the JAs behind it that these go through, the true side's first. */
function encodeBranch(branch: Instruction, longJumps: number, program: Instruction[]): void {
  if (longJumps === 0) {
    program.push(branch);
    return;
  }
  const { code, jt, jf, k } = branch;
  const isTrueLong = (longJumps & LONG_TRUE) !== 0;
  const isFalseLong = (longJumps & LONG_FALSE) !== 0;
  const toFalseJump = isTrueLong ? 1 : 0;
  program.push({ code, jt: isTrueLong ? 0 : jt, jf: isFalseLong ? toFalseJump : jf, k });
  if (isTrueLong) program.push(jumpAlways(jt - 1));
  if (isFalseLong) program.push(jumpAlways(jf - toFalseJump - 1));
}

function jumpAlways(distance: number): Instruction {
  return { code: JMP | JA | K, jt: 0, jf: 0, k: distance };
}
