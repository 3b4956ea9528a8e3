/**
 * The state of lowering while it reads the expression from left to right. As in libpcap, `vlan`, `mpls`, `pppoes` and `geneve`
 * change it for everything after them, regardless of parentheses and `not`.
 */
import { type FilterErrorCode, FilterSyntaxError, type Span } from "../errors.ts";
import type { ConstantList } from "../flow.ts";
import { LINK_LAYOUTS, type LinkType } from "../link-types.ts";
import { Registers } from "./registers.ts";
import { SharedLoads } from "./shared-loads.ts";

/** Marks an offset without a scratch register, or not yet with one. */
export const NO_REGISTER = -1;

/** A place in the packet: a constant, plus a scratch register when it depends on the packet. */
export type Offset = {
  isVariable: boolean;
  constant: number;
  /** The scratch register holding the variable part; NO_REGISTER until one is allocated. */
  register: number;
};

export function fixedOffset(constant: number): Offset {
  return { isVariable: false, constant, register: NO_REGISTER };
}

/** The values a field may have, without duplicates. */
export type Candidates = { readonly first: number; readonly others: ConstantList | null };

export class LoweringContext {
  readonly expression: string;
  readonly registers: Registers;
  readonly loads = new SharedLoads();
  /** The part of the expression being lowered, for errors. */
  span: Span = { start: 0, end: 0 };

  linkType: LinkType;
  linkHeader: Offset = fixedOffset(0);
  /** The link header outside the present one. */
  outerLinkHeader: Offset = fixedOffset(0);
  /** The protocol type field; for LLC links, the LLC header. */
  typeField: Offset;
  payload: Offset;
  /** From the payload to the network header, without and with a bare LLC header between them. */
  networkOffset: number;
  networkOffsetNoSnap: number;

  /** How many lists the program has. */
  #lists = 0;
  mplsDepth = 0;
  /** True after `geneve`: later tests apply to the frame inside the tunnel. */
  insideGeneve = false;
  /** False once a block contains jumps, which the optimiser cannot follow. */
  mayOptimize = true;

  constructor(expression: string, linkType: LinkType) {
    const layout = LINK_LAYOUTS[linkType];
    this.expression = expression;
    this.registers = new Registers(() =>
      this.fail("bpf.too-complex", "the expression needs more than 16 registers"),
    );
    this.linkType = linkType;
    this.linkHeader = { ...fixedOffset(layout.linkOffset ?? 0), isVariable: layout.hasPrefix === true };
    this.typeField = fixedOffset(layout.typeOffset);
    this.payload = fixedOffset(layout.payloadOffset);
    this.networkOffset = layout.networkOffset;
    this.networkOffsetNoSnap = layout.networkOffsetNoSnap;
  }

  /** The link type as an error message names it. */
  get linkName(): string {
    return LINK_LAYOUTS[this.linkType].name;
  }

  /** @param values one or more. */
  makeCandidates(values: Iterable<number>): Candidates {
    const [first, ...others] = new Set(values);
    this.#lists += 1;
    return { first: first!, others: others.length === 0 ? null : { number: this.#lists, values: others } };
  }

  /** Throws a FilterSyntaxError for the part of the expression being lowered. */
  fail(code: FilterErrorCode, reason: string): never {
    throw new FilterSyntaxError(this.expression, { code, reason, span: this.span });
  }

  /** Starts a link header inside the current payload. */
  pushLinkHeader(linkType: LinkType, header: Offset): void {
    this.outerLinkHeader = this.linkHeader;
    this.linkType = linkType;
    this.linkHeader = header;
    this.insideGeneve = false;
  }
}
