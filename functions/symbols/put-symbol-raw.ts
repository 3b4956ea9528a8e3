import { failureOf } from "../shared/edge/errors.ts";
import { entityTag } from "../shared/edge/http/entity-tag.ts";
import { recogniseImage } from "../shared/edge/image/recognise-image.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { SYMBOL_ERRORS } from "../shared/edge/own-errors/symbol.ts";
import { builtinSymbol } from "../shared/schemas/builtin-symbols.ts";
import { putSymbol } from "../shared/store/symbol/symbol.ts";
import type { group } from "./routes.ts";

export const putSymbolRaw: Operation<typeof group.routes.putSymbolRaw> = async ({ access, params, body }) => {
  const { symbol_id } = params;
  const { contentType, size } = recogniseImage(body);
  if (builtinSymbol(symbol_id))
    throw failureOf(SYMBOL_ERRORS, "symbol.builtin", { symbol_id, done: "overwritten" });
  const item = { symbol_id, content_type: contentType, etag: entityTag(body), size_bytes: body.length };
  await putSymbol(access, { ...item, ...size }, body);
  return { status: 204 };
};
