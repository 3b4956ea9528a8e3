/**
 * Headers of capture programs before the frame itself, whose length is in the packet: `ether[0]` is the first byte behind them. libpcap computes the
 * length once, at the beginning of the program, if the expression needs it.
 * Sources: https://www.radiotap.org, and the LINKTYPE_ registry for AVS, Prism and PPI; the instructions as libpcap 1.10 makes them.
 */
import { equals, type Statement, statement, type Test } from "../flow.ts";
import * as op from "../instructions.ts";
import type { LinkType } from "../link-types.ts";
import { type LoweringContext, NO_REGISTER } from "./context.ts";

/** Two bytes at offset 2, the low one first. */
const littleEndianLength = (register: number): Statement[] => [
  statement(op.LD | op.ABS | op.B, 3),
  statement(op.ALU | op.LSH | op.K, 8),
  statement(op.MISC | op.TAX),
  statement(op.LD | op.ABS | op.B, 2),
  statement(op.ALU | op.OR | op.X),
  ...keep(register),
];

const keep = (register: number): Statement[] => [statement(op.ST, register), statement(op.MISC | op.TAX)];

const AVS_COOKIE = 0x80211000;
const AVS_COOKIE_MASK = 0xfffff000;
const PRISM_BYTES = 144;

/** Programs write the header of AVS under the number of Prism, too. */
function prismLength(register: number): Statement[] {
  const avs = statement(op.LD | op.ABS | op.W, 4);
  const prism = statement(op.LD | op.IMM, PRISM_BYTES);
  const isAvs = statement(op.JMP | op.JEQ | op.K, AVS_COOKIE);
  isAvs.jt = avs;
  isAvs.jf = prism;
  const overPrism = statement(op.JMP | op.JA, 1);
  return [
    statement(op.LD | op.ABS | op.W, 0),
    statement(op.ALU | op.AND | op.K, AVS_COOKIE_MASK),
    isAvs,
    avs,
    overPrism,
    prism,
    ...keep(register),
  ];
}

const LENGTHS: Partial<Record<LinkType, (register: number) => Statement[]>> = {
  DLT_IEEE802_11_RADIO: littleEndianLength,
  DLT_PPI: littleEndianLength,
  DLT_IEEE802_11_RADIO_AVS: (register) => [statement(op.LD | op.ABS | op.W, 4), ...keep(register)],
  DLT_PRISM_HEADER: prismLength,
};

/** Puts the computation before the statements of the first block, if the expression has used it. */
export function computePrefix(context: LoweringContext, test: Test): void {
  const { register } = context.linkHeader;
  const length = LENGTHS[context.linkType];
  // Jumps within a block, which the optimiser cannot follow; libpcap optimises no program for Prism.
  if (context.linkType === "DLT_PRISM_HEADER") context.mayOptimize = false;
  if (length === undefined || register === NO_REGISTER) return;
  test.head.statements = [...length(register), ...test.head.statements];
}

/** DLT_IEEE802_11 in the packet's own field, little-endian. */
const PPI_IEEE802_11 = 0x69000000;

/** libpcap judges only packets of PPI that hold a frame of 802.11. */
export const isWirelessPpi = (): Test => equals([statement(op.LD | op.ABS | op.W, 4)], PPI_IEEE802_11);
