/** The syntax tree of an expression, independent of link layouts and byte offsets. */
import type { Span } from "./errors.ts";
import type { Protocol } from "./tokens.ts";

export type Direction = "src" | "dst" | "src or dst" | "src and dst";

/** The kind of value of an id. `default` means that none was written; it is read as `host`. */
export type AddressType =
  | "default"
  | "host"
  | "net"
  | "port"
  | "portrange"
  | "gateway"
  | "proto"
  | "protochain";

/** The qualifiers before an id, which later bare ids inherit: `tcp dst port 80 or 443`. Null: not written. */
export type Qualifiers = {
  readonly protocol: Protocol | null;
  readonly direction: Direction | null;
  readonly type: AddressType;
};

export type Ipv4Id =
  | { readonly kind: "ipv4"; readonly text: string }
  | { readonly kind: "ipv4-prefix"; readonly text: string; readonly length: number }
  | { readonly kind: "ipv4-mask"; readonly text: string; readonly mask: string };

export type Id =
  | Ipv4Id
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "name" | "ipv6" | "mac" | "arcnet"; readonly text: string }
  | { readonly kind: "ipv6-prefix"; readonly text: string; readonly length: number };

export type ChainLink = { readonly op: "and" | "or"; readonly node: Expression };

/** `and` and `or` have equal precedence and bind to the left, so a run of them is one flat chain of any length. */
export type Chain = {
  readonly kind: "chain";
  readonly first: Expression;
  readonly rest: readonly ChainLink[];
};

export type Comparison = ">" | ">=" | "=" | "<=" | "<" | "!=";

export type Encapsulation = "vlan" | "mpls" | "pppoes" | "geneve";

/** A qualified id: `tcp dst port 80`. */
export type Primitive = {
  readonly kind: "primitive";
  readonly qualifiers: Qualifiers;
  readonly id: Id;
  readonly span: Span;
};

export type Expression =
  | Chain
  | { readonly kind: "not"; readonly node: Expression }
  | Primitive
  | { readonly kind: "protocol"; readonly protocol: Protocol; readonly span: Span }
  | {
      readonly kind: "relation";
      readonly op: Comparison;
      readonly left: Arithmetic;
      readonly right: Arithmetic;
      readonly span: Span;
    }
  | { readonly kind: "broadcast" | "multicast"; readonly protocol: Protocol | null; readonly span: Span }
  | { readonly kind: "less" | "greater"; readonly value: number; readonly span: Span }
  | {
      readonly kind: "byte";
      readonly index: number;
      readonly op: "&" | "|" | "<" | ">" | "=";
      readonly value: number;
      readonly span: Span;
    }
  | {
      readonly kind: "encapsulation";
      readonly layer: Encapsulation;
      readonly number: number | null;
      readonly span: Span;
    }
  | { readonly kind: "pppoed"; readonly span: Span }
  | { readonly kind: "inbound" | "outbound"; readonly span: Span }
  | { readonly kind: "ifindex"; readonly index: number; readonly span: Span }
  | { readonly kind: "llc"; readonly type: string | null; readonly span: Span };

export type BinaryOperator = "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>";

export type Arithmetic =
  | { readonly kind: "number"; readonly value: number; readonly span: Span }
  | { readonly kind: "len"; readonly span: Span }
  | {
      readonly kind: "load";
      readonly protocol: Protocol;
      readonly index: Arithmetic;
      readonly size: number;
      readonly span: Span;
    }
  | { readonly kind: "negate"; readonly operand: Arithmetic; readonly span: Span }
  | {
      readonly kind: "binary";
      readonly op: BinaryOperator;
      readonly left: Arithmetic;
      readonly right: Arithmetic;
      readonly span: Span;
    };
