/** What a part of an expression turned out to be, before the parser knows what it is for. */
import type { Arithmetic, Expression, Qualifiers } from "./syntax.ts";
import type { Token } from "./tokens.ts";

/** A `group` is a parenthesized id list: an id, but not one that can open another list. */
export type Found =
  | {
      readonly shape: "test" | "id" | "group";
      readonly node: Expression;
      readonly inherited: Qualifiers | null;
    }
  | { readonly shape: "number"; readonly value: number; readonly token: Token }
  | { readonly shape: "arithmetic"; readonly value: Arithmetic };
