/** pcap-filter expressions of the command line: compiled for a file's link type, errors shown with their text. */

import { makeInPlacePredicate, makePredicate } from "../engine/bpf/generate.ts";
import {
  type BpfProgram,
  compileProgram,
  FilterSyntaxError,
  isLinkType,
  type LinkType,
  type PacketPredicate,
} from "../engine/bpf/index.ts";
import { dataLinkTypeName } from "../engine/pcap/link-types.ts";
import type { RecordTest } from "../engine/pcap/record-sieve.ts";
import { DataError, ExpressionError } from "./failure.ts";

/** The compiler's name of a file's link type. Throws a DataError for one that it does not know. */
export function filterLinkType(linkType: number): LinkType {
  const name = dataLinkTypeName(linkType);
  if (name !== undefined && isLinkType(name)) return name;
  throw new DataError(`expressions cannot be applied to packets of link type ${linkType}`);
}

/** Throws an ExpressionError. */
export function compileExpression(expression: string, linkType: LinkType): PacketPredicate {
  return makePredicate(compile(expression, linkType));
}

/**
 * The same for packets inside a larger buffer, in place: making a view of each packet would take as long as judging it.
 * Throws an ExpressionError.
 */
export function compileRecordTest(expression: string, linkType: LinkType): RecordTest {
  return makeInPlacePredicate(compile(expression, linkType));
}

function compile(expression: string, linkType: LinkType): BpfProgram {
  try {
    return compileProgram(expression, linkType);
  } catch (error) {
    if (error instanceof FilterSyntaxError) throw new ExpressionError(expression, error);
    throw error;
  }
}
