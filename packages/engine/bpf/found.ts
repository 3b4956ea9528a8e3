/** The shape of a parsed part of an expression, before the parser knows its role. */
import type { Arithmetic, Expression, Qualifiers } from "./syntax.ts";
import type { Token } from "./tokens.ts";

/** A `group` is a parenthesized id list: an id, except that it cannot start another list. */
export type Found =
  | {
      readonly shape: "test" | "id" | "group";
      readonly node: Expression;
      readonly inherited: Qualifiers | null;
    }
  | { readonly shape: "number"; readonly value: number; readonly token: Token }
  | { readonly shape: "arithmetic"; readonly value: Arithmetic };
