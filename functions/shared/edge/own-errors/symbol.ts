import { define, type Facts } from "../error-definition.ts";

export const SYMBOL_ERRORS = {
  "symbol.not-found": define(404, (f: Facts<"symbol_id">) => `Symbol ${f.symbol_id} doesn't exist`),
  "symbol.builtin": define(
    409,
    (f: Facts<"symbol_id" | "done">) => `${f.symbol_id} is a built-in symbol and cannot be ${f.done}`,
  ),
  "symbol.no-size": define(
    404,
    (f: Facts<"symbol_id">) => `The size of symbol ${f.symbol_id} is not in its content`,
  ),
} as const;
