/** A template as a tree. */
import type { Spot } from "./fault.ts";
import type { Value } from "./values.ts";

export type Operand =
  | { readonly kind: "constant"; readonly value: Value; readonly spot: Spot }
  | { readonly kind: "dot"; readonly spot: Spot }
  | { readonly kind: "variable"; readonly name: string; readonly spot: Spot }
  | { readonly kind: "function"; readonly name: string; readonly spot: Spot }
  | { readonly kind: "pipe"; readonly pipe: Pipe; readonly spot: Spot }
  | { readonly kind: "fields"; readonly of: Operand; readonly names: readonly string[]; readonly spot: Spot };

/** A value, or a function with its arguments. */
export interface Command {
  readonly operands: readonly [Operand, ...Operand[]];
}

export interface Pipe {
  /** Variables that get the value; `range` can have two. */
  readonly variables: readonly string[];
  /** Whether `=` assigns to variables that are there already. */
  readonly assigns: boolean;
  readonly commands: readonly [Command, ...Command[]];
  readonly spot: Spot;
}

export type Node =
  | { readonly kind: "text"; readonly text: string; readonly spot: Spot }
  | { readonly kind: "print"; readonly pipe: Pipe }
  | {
      readonly kind: "if" | "with" | "range";
      readonly pipe: Pipe;
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[];
    }
  | { readonly kind: "break" | "continue" }
  | {
      readonly kind: "template";
      readonly name: string;
      readonly pipe: Pipe | undefined;
      readonly spot: Spot;
    };
