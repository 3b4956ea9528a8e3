import { define, type Facts, some } from "../error-definition.ts";

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
  "quota.symbols": define(
    409,
    (f: Facts<"count" | "limit">) => `There are ${f.count} uploaded symbols, and the quota is ${f.limit}`,
  ),
  "quota.symbol-bytes": define(
    409,
    (f: Facts<"count" | "amount" | "limit">) =>
      `The uploaded symbols hold ${f.count} bytes, and ${f.amount} more would pass the quota of ${f.limit}`,
  ),
  "quota.user-symbols": define(
    409,
    (f: Facts<"user" | "count" | "limit">) =>
      `${f.user} has uploaded ${some(f.count, "symbol")}, and the quota of a user is ${f.limit}; an admin can delete symbols`,
  ),
  "quota.user-symbol-bytes": define(
    409,
    (f: Facts<"user" | "count" | "amount" | "limit">) =>
      `The symbols that ${f.user} has uploaded hold ${f.count} bytes, and ${f.amount} more would pass the quota of ${f.limit}`,
  ),
} as const;
