/**
 * Turns blocks into a linear program. The layout is libpcap's - each block before its targets, the true side first - so
 * that listings can be compared line by line. A conditional jump reaches 255 instructions; a longer one goes through a JA.
 */
import { type Block, type ConstantList, type Statement, UNPLACED } from "./flow.ts";
import { classOf, JA, JEQ, JMP, K } from "./instructions.ts";
import { type PackedProgram, ProgramWriter } from "./packed-program.ts";

/** The code of a statement the optimiser has removed. It cannot be an instruction's code: those have eight bits. */
export const REMOVED = 0x100;

const MAX_JUMP = 255;
const JUMP_ALWAYS = JMP | JA | K;

/** The state of a block whose targets are being placed. */
const OPEN = -2;

/**
 * Assembles from the end backwards: a block is placed after its false side and its true side. All jumps go forward, so every
 * distance is known when it is needed. Uses no recursion, because chains may be long. Marks the blocks, so call it once per graph.
 */
export function assemble(root: Block): PackedProgram {
  const writer = new ProgramWriter();
  const waiting: Block[] = [];
  let block = root;
  root.fromEnd = OPEN;
  for (;;) {
    const target = targetWithoutPlace(block);
    if (target !== null) {
      waiting.push(block);
      target.fromEnd = OPEN;
      block = target;
    } else {
      encodeBlock(block, writer);
      block.fromEnd = writer.length;
      if (waiting.length === 0) return writer.finish();
      block = waiting.pop()!;
    }
  }
}

function targetWithoutPlace({ onTrue, onFalse }: Block): Block | null {
  if (onFalse !== null && onFalse.fromEnd === UNPLACED) return onFalse;
  return onTrue !== null && onTrue.fromEnd === UNPLACED ? onTrue : null;
}

/** Writes a block before the code written so far. */
function encodeBlock(block: Block, writer: ProgramWriter): void {
  const { statements, code, k, list, onTrue, onFalse } = block;
  if (onTrue === null) {
    writer.prepend(code, 0, 0, k);
  } else if (list === null) {
    encodeBranch(code, k, onTrue.fromEnd, onFalse!.fromEnd, writer);
  } else {
    encodeList(block, list, writer);
    return;
  }
  encodeStatements(statements, writer);
}

/** Writes the statements and one JEQ per value; each JEQ is the false side of the one before it. */
function encodeList(
  { statements, onTrue, onFalse }: Block,
  { values }: ConstantList,
  writer: ProgramWriter,
): void {
  let whenFalse = onFalse!.fromEnd;
  for (let at = values.length - 1; at >= 0; at -= 1) {
    encodeBranch(JMP | JEQ | K, values[at]!, onTrue!.fromEnd, whenFalse, writer);
    encodeStatements(statements, writer);
    whenFalse = writer.length;
  }
}

/** Writes a branch. If it does not reach a target, it jumps through a JA placed behind it; the true side's JA comes first. */
function encodeBranch(
  code: number,
  k: number,
  whenTrue: number,
  whenFalse: number,
  writer: ProgramWriter,
): void {
  const jt = writer.length - whenTrue;
  const jf = writer.length - whenFalse;
  // A JA for the true side makes the false side's jump one instruction longer.
  const isFalseLong = jf + (jt > MAX_JUMP ? 1 : 0) > MAX_JUMP;
  const isTrueLong = jt + (isFalseLong ? 1 : 0) > MAX_JUMP;
  if (isFalseLong) writer.prepend(JUMP_ALWAYS, 0, 0, jf);
  if (isTrueLong) writer.prepend(JUMP_ALWAYS, 0, 0, writer.length - whenTrue);
  const toFalseJump = isTrueLong ? 1 : 0;
  const shortTrue = writer.length - whenTrue;
  const shortFalse = writer.length - whenFalse;
  writer.prepend(code, isTrueLong ? 0 : shortTrue, isFalseLong ? toFalseJump : shortFalse, k);
}

function encodeStatements(statements: readonly Statement[], writer: ProgramWriter): void {
  for (let at = statements.length - 1; at >= 0; at -= 1) {
    const { code, k } = statements[at]!;
    if (code === REMOVED) continue;
    if (classOf(code) === JMP && code !== JUMP_ALWAYS) encodeInnerBranch(statements, at, writer);
    else writer.prepend(code, 0, 0, k);
  }
}

/** Writes a branch inside a block, from which the optimiser has removed nothing. */
function encodeInnerBranch(statements: readonly Statement[], at: number, writer: ProgramWriter): void {
  const { code, k, jt, jf } = statements[at]!;
  const reach = (target: Statement | null): number =>
    target === null ? 0 : statements.indexOf(target) - at - 1;
  writer.prepend(code, reach(jt), reach(jf), k);
}
