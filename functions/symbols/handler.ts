import { bind } from "../shared/edge/bind.ts";
import { deleteSymbolRaw } from "./delete-symbol-raw.ts";
import { getSymbolDimensions } from "./get-symbol-dimensions.ts";
import { getSymbolRaw } from "./get-symbol-raw.ts";
import { defaultSymbols, listSymbols } from "./list-symbols.ts";
import { putSymbolRaw } from "./put-symbol-raw.ts";
import { group } from "./routes.ts";

export const handler = bind(group, {
  listSymbols,
  defaultSymbols,
  getSymbolRaw,
  putSymbolRaw,
  deleteSymbolRaw,
  getSymbolDimensions,
});
