import { failureOf } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { SYMBOL_ERRORS } from "../shared/edge/own-errors/symbol.ts";
import { builtinSymbol } from "../shared/schemas/builtin-symbols.ts";
import { deleteSymbol } from "../shared/store/symbol/symbol.ts";
import type { group } from "./routes.ts";

export const deleteSymbolRaw: Operation<typeof group.routes.deleteSymbolRaw> = async ({ params }) => {
  const { symbol_id } = params;
  if (await deleteSymbol(symbol_id)) return { status: 204 };
  if (builtinSymbol(symbol_id))
    throw failureOf(SYMBOL_ERRORS, "symbol.builtin", { symbol_id, done: "deleted" });
  throw failureOf(SYMBOL_ERRORS, "symbol.not-found", { symbol_id });
};
