/**
 * What lowering knows at one moment of reading the expression from left to right. `vlan`, `mpls`, `pppoes` and `geneve`
 * change it for everything after them, whatever parentheses or `not` they stand in: that is how libpcap has it.
 */
import { type FilterErrorCode, FilterSyntaxError, type Span } from "../errors.ts";
import type { ConstantList } from "../flow.ts";
import { LINK_LAYOUTS, type LinkType } from "../link-types.ts";
import { Registers } from "./registers.ts";
import { SharedLoads } from "./shared-loads.ts";

/** Where an offset has no scratch register, or none yet. */
export const NO_REGISTER = -1;

/** A place in the packet: a constant, plus a scratch register when it depends on the packet. */
export type Offset = {
  isVariable: boolean;
  constant: number;
  /** The scratch register holding the variable part; NO_REGISTER until one is given out. */
  register: number;
};

export function fixedOffset(constant: number): Offset {
  return { isVariable: false, constant, register: NO_REGISTER };
}

/** What a field may be, each once. */
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

  /** How many lists there are. */
  #lists = 0;
  mplsDepth = 0;
  /** True after `geneve`: what follows is about the frame inside the tunnel. */
  insideGeneve = false;
  /** Set by code with jumps inside a block, which the optimiser cannot follow. */
  mayOptimize = true;

  constructor(expression: string, linkType: LinkType) {
    const layout = LINK_LAYOUTS[linkType];
    this.expression = expression;
    this.registers = new Registers(() =>
      this.fail("bpf.too-complex", "the expression needs more than 16 registers"),
    );
    this.linkType = linkType;
    this.typeField = fixedOffset(layout.typeOffset);
    this.payload = fixedOffset(layout.payloadOffset);
    this.networkOffset = layout.networkOffset;
    this.networkOffsetNoSnap = layout.networkOffsetNoSnap;
  }

  /** The link type as an error message names it. */
  get linkName(): string {
    return LINK_LAYOUTS[this.linkType].name;
  }

  /** Of one value or more. */
  makeCandidates(values: Iterable<number>): Candidates {
    const [first, ...others] = new Set(values);
    this.#lists += 1;
    return { first: first!, others: others.length === 0 ? null : { number: this.#lists, values: others } };
  }

  /** Refuses the part of the expression being lowered. */
  fail(code: FilterErrorCode, reason: string): never {
    throw new FilterSyntaxError(this.expression, { code, reason, span: this.span });
  }

  /** Starts a link header inside the present payload. */
  pushLinkHeader(linkType: LinkType, header: Offset): void {
    this.outerLinkHeader = this.linkHeader;
    this.linkType = linkType;
    this.linkHeader = header;
    this.insideGeneve = false;
  }
}
