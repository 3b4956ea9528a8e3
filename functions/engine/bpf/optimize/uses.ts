/** Which atoms - scratch words, A and X - each block needs, and which are still needed after it. */

import { REMOVED } from "../assemble.ts";
import type { Statement } from "../flow.ts";
import * as op from "../instructions.ts";
import { A_ATOM, ATOMS, type FlowGraph, type FlowNode, memoryAtom, X_ATOM } from "./graph.ts";

/** Both A and X. */
export const A_AND_X = ATOMS;
export const NO_ATOM = -1;

type Operation = { readonly code: number; readonly k: number };

/** The atom an instruction reads, A_AND_X for both registers, NO_ATOM for none. */
export function atomRead({ code, k }: Operation): number {
  if (code === REMOVED) return NO_ATOM;
  switch (op.classOf(code)) {
    case op.LD:
    case op.LDX:
      return op.modeOf(code) === op.IND ? X_ATOM : op.modeOf(code) === op.MEM ? memoryAtom(k) : NO_ATOM;
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

/** The atom an instruction writes. */
export function atomWritten({ code, k }: Operation): number {
  if (code === REMOVED) return NO_ATOM;
  switch (op.classOf(code)) {
    case op.LD:
    case op.ALU:
      return A_ATOM;
    case op.LDX:
      return X_ATOM;
    case op.ST:
    case op.STX:
      return memoryAtom(k);
    case op.MISC:
      return code === (op.MISC | op.TAX) ? X_ATOM : A_ATOM;
    default:
      return NO_ATOM;
  }
}

function maskOf(atom: number): number {
  if (atom === NO_ATOM) return 0;
  return atom === A_AND_X ? (1 << A_ATOM) | (1 << X_ATOM) : 1 << atom;
}

export function findUses(graph: FlowGraph): void {
  for (const node of graph.downwards) {
    findUsesWithin(node);
    node.usedAfter = 0;
  }
  for (const node of graph.upwards) {
    if (node.isReturn) continue;
    node.usedAfter |= node.onTrue.to!.usedHere | node.onFalse.to!.usedHere;
    node.usedHere |= node.usedAfter & ~node.killed;
  }
}

function findUsesWithin(node: FlowNode): void {
  let defined = 0;
  let used = 0;
  let killed = 0;
  const visit = (item: Operation | Statement): void => {
    used |= maskOf(atomRead(item)) & ~defined;
    const written = maskOf(atomWritten(item));
    killed |= written & ~used;
    defined |= written;
  };
  for (const item of node.statements) visit(item);
  if (op.classOf(node.code) === op.JMP) visit(node);
  node.killed = killed;
  node.usedHere = used;
}
