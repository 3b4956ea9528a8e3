/** Computes which atoms (scratch words, A and X) each block needs, and which are needed after it. */

import { REMOVED } from "../assemble.ts";
import * as op from "../instructions.ts";
import { A_ATOM, ATOMS, type FlowGraph, type FlowNode, memoryAtom, X_ATOM } from "./graph.ts";

/** Both A and X. */
export const A_AND_X = ATOMS;
export const NO_ATOM = -1;

type Operation = { readonly code: number; readonly k: number };

/** A table entry: the instruction's `k` selects the scratch word. */
const NAMED_WORD = -2;

/** A table by code, because every pass looks up every statement; the last entry is for REMOVED. */
const READ = Int8Array.from({ length: REMOVED + 1 }, (_, code) => findRead(code));
const WRITTEN = Int8Array.from({ length: REMOVED + 1 }, (_, code) => findWritten(code));
/** The entries of `READ` as sets. */
const READ_SETS = Int32Array.from(READ, toSet);
const WRITTEN_SETS = Int32Array.from(WRITTEN, toSet);

/** Returns the atom that an instruction reads, A_AND_X for both registers, NO_ATOM for none. */
export function atomRead({ code, k }: Operation): number {
  const atom = READ[code]!;
  return atom === NAMED_WORD ? memoryAtom(k) : atom;
}

/** Returns the atom that an instruction writes. */
export function atomWritten({ code, k }: Operation): number {
  const atom = WRITTEN[code]!;
  return atom === NAMED_WORD ? memoryAtom(k) : atom;
}

function findRead(code: number): number {
  if (code === REMOVED) return NO_ATOM;
  switch (op.classOf(code)) {
    case op.LD:
    case op.LDX:
      return op.modeOf(code) === op.IND ? X_ATOM : op.modeOf(code) === op.MEM ? NAMED_WORD : NO_ATOM;
    case op.ST:
      return A_ATOM;
    case op.STX:
      return X_ATOM;
    case op.JMP:
    case op.ALU:
      return op.sourceOf(code) === op.X ? A_AND_X : A_ATOM;
    case op.MISC:
      return code === (op.MISC | op.TXA) ? X_ATOM : A_ATOM;
    default:
      return NO_ATOM;
  }
}

function findWritten(code: number): number {
  if (code === REMOVED) return NO_ATOM;
  switch (op.classOf(code)) {
    case op.LD:
    case op.ALU:
      return A_ATOM;
    case op.LDX:
      return X_ATOM;
    case op.ST:
    case op.STX:
      return NAMED_WORD;
    case op.MISC:
      return code === (op.MISC | op.TAX) ? X_ATOM : A_ATOM;
    default:
      return NO_ATOM;
  }
}

function toSet(atom: number): number {
  if (atom === NO_ATOM) return 0;
  if (atom === A_AND_X) return (1 << A_ATOM) | (1 << X_ATOM);
  return atom === NAMED_WORD ? NAMED_WORD : 1 << atom;
}

function readSet({ code, k }: Operation): number {
  const atoms = READ_SETS[code]!;
  return atoms === NAMED_WORD ? 1 << memoryAtom(k) : atoms;
}

function writtenSet({ code, k }: Operation): number {
  const atoms = WRITTEN_SETS[code]!;
  return atoms === NAMED_WORD ? 1 << memoryAtom(k) : atoms;
}

export function findUses({ downwards, upwards }: FlowGraph): void {
  for (let at = 0; at < downwards.length; at += 1) findUsesWithin(downwards[at]!);
  for (let at = 0; at < upwards.length; at += 1) {
    const node = upwards[at]!;
    node.usedAfter = node.isReturn ? 0 : node.onTrue.to!.usedHere | node.onFalse.to!.usedHere;
    node.usedHere |= node.usedAfter & ~node.killed;
  }
}

function findUsesWithin(node: FlowNode): void {
  const { statements } = node;
  let defined = 0;
  let used = 0;
  let killed = 0;
  for (let at = 0; at < statements.length; at += 1) {
    const item = statements[at]!;
    used |= readSet(item) & ~defined;
    const written = writtenSet(item);
    killed |= written & ~used;
    defined |= written;
  }
  // A branch writes nothing.
  if (!node.isReturn) used |= readSet(node) & ~defined;
  node.killed = killed;
  node.usedHere = used;
}
