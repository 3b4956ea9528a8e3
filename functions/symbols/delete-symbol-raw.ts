import { failure } from "../api/errors.ts";
import type { Operation } from "../api/operation.ts";
import { builtinSymbol } from "../api/schemas/builtin-symbols.ts";
import { deleteSymbol } from "../store/symbol.ts";
import type { group } from "./routes.ts";

export const deleteSymbolRaw: Operation<typeof group.routes.deleteSymbolRaw> = async ({ params }) => {
  const { symbol_id } = params;
  if (builtinSymbol(symbol_id)) throw failure("symbol.builtin", { symbol_id, done: "deleted" });
  if (!(await deleteSymbol(symbol_id))) throw failure("symbol.not-found", { symbol_id });
  return { status: 204 };
};
