import { isNamed } from "../shared/edge/http/entity-tag.ts";
import type { Answer, Operation } from "../shared/edge/operation.ts";
import { readSymbol } from "../shared/store/symbol/symbol.ts";
import { builtinImage, type Image } from "./drawings.ts";
import { findSymbol } from "./find-symbol.ts";
import type { group } from "./routes.ts";

type Route = typeof group.routes.getSymbolRaw;

/**
 * An SVG document that is opened as a page can run scripts and load resources. This policy allows no scripts and no requests, and gives
 * the document its own origin, so that it has no access to the service.
 */
const PICTURE_ONLY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

export const getSymbolRaw: Operation<Route> = async ({ params, headers }) => {
  const ifNoneMatch = headers["if-none-match"];
  const found = await findSymbol(params.symbol_id, (id) =>
    readSymbol(id, ({ etag }) => !isNamed(etag, ifNoneMatch)),
  );
  if ("builtin" in found) return answerImage(builtinImage(found.builtin), ifNoneMatch);
  const { symbol, bytes } = found.uploaded;
  return answerImage(
    { ...(bytes && { bytes }), contentType: symbol.content_type, etag: symbol.etag },
    ifNoneMatch,
  );
};

/** @param image its bytes may be missing when the caller has them */
export function answerImage(
  { bytes, contentType, etag }: Omit<Image, "bytes"> & Partial<Pick<Image, "bytes">>,
  ifNoneMatch: string | undefined,
): Answer<Route> {
  const headers = { etag, "cache-control": "no-cache", "content-security-policy": PICTURE_ONLY };
  if (bytes === undefined || isNamed(etag, ifNoneMatch)) return { status: 304, headers };
  return { status: 200, headers, body: bytes, contentType };
}
