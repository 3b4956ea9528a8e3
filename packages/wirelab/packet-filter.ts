/** Compiles the command line's pcap-filter expressions for a file's link type; errors include the expression. */

import { addHint } from "@wirelab/engine/bpf/compile-for-people";
import { makeInPlacePredicate, makePredicate } from "@wirelab/engine/bpf/generate";
import {
  type BpfProgram,
  compileProgram,
  FilterSyntaxError,
  type LinkType,
  type PacketPredicate,
} from "@wirelab/engine/bpf/index";
import type { CaptureInterface } from "@wirelab/engine/pcap/decoder";
import { filterLinkTypeOf } from "@wirelab/engine/pcap/link-types";
import type { RecordTest } from "@wirelab/engine/pcap/record-sieve";
import { ExpressionError } from "./failure.ts";

/** Compiles an expression for packets of an interface. Throws an ExpressionError. */
export function compileExpression(expression: string, from: CaptureInterface): PacketPredicate {
  return makePredicate(compileFor(filterLinkTypeOf(from), expression));
}

/**
 * Same as `compileExpression`, for packets inside a larger buffer: creating a view of a packet would take as long as matching it.
 * Throws an ExpressionError.
 */
export function compileRecordTest(expression: string, from: CaptureInterface): RecordTest {
  return makeInPlacePredicate(compileFor(filterLinkTypeOf(from), expression));
}

/** Compiles an expression for a link type. Throws an ExpressionError. */
export function compileFor(linkType: LinkType, expression: string): BpfProgram {
  try {
    return compileProgram(expression, linkType);
  } catch (error) {
    addHint(expression, error);
    if (error instanceof FilterSyntaxError) throw new ExpressionError(expression, error);
    throw error;
  }
}
