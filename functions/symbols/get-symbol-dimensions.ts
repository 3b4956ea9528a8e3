import { failureOf } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { SYMBOL_ERRORS } from "../shared/edge/own-errors/symbol.ts";
import { getSymbol } from "../shared/store/symbol/symbol.ts";
import { findSymbol } from "./find-symbol.ts";
import type { group } from "./routes.ts";

export const getSymbolDimensions: Operation<typeof group.routes.getSymbolDimensions> = async ({ params }) => {
  const { symbol_id } = params;
  const found = await findSymbol(symbol_id, getSymbol);
  const { width, height } = "builtin" in found ? found.builtin : found.uploaded;
  if (width === undefined || height === undefined)
    throw failureOf(SYMBOL_ERRORS, "symbol.no-size", { symbol_id });
  return { status: 200, body: { height, width } };
};
