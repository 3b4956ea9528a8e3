/** pcap-filter expressions of the command line: compiled for a file's link type, errors shown with their text. */

import { makeInPlacePredicate, makePredicate } from "../engine/bpf/generate.ts";
import {
  type BpfProgram,
  compileProgram,
  FilterSyntaxError,
  type LinkType,
  type PacketPredicate,
} from "../engine/bpf/index.ts";
import type { CaptureInterface } from "../engine/pcap/decoder.ts";
import { filterLinkTypeOf } from "../engine/pcap/link-types.ts";
import type { RecordTest } from "../engine/pcap/record-sieve.ts";
import { ExpressionError } from "./failure.ts";

/** Throws an ExpressionError. */
export function compileExpression(expression: string, from: CaptureInterface): PacketPredicate {
  return makePredicate(compileFor(filterLinkTypeOf(from), expression));
}

/**
 * The same for packets inside a larger buffer, in place: making a view of each packet would take as long as judging it.
 * Throws an ExpressionError.
 */
export function compileRecordTest(expression: string, from: CaptureInterface): RecordTest {
  return makeInPlacePredicate(compileFor(filterLinkTypeOf(from), expression));
}

/** Throws an ExpressionError. */
export function compileFor(linkType: LinkType, expression: string): BpfProgram {
  try {
    return compileProgram(expression, linkType);
  } catch (error) {
    if (error instanceof FilterSyntaxError) throw new ExpressionError(expression, error);
    throw error;
  }
}
