/**
 * Resolves an id to a symbol: the uploaded or built-in symbol of exactly this id, else the built-in one whose file name
 * is the id's last segment, as in `:/symbols/router.svg`, which saved projects and node defaults contain.
 */
import { failureOf } from "../shared/edge/errors.ts";
import { SYMBOL_ERRORS } from "../shared/edge/own-errors/symbol.ts";
import {
  type BuiltinSymbol,
  builtinByFilename,
  builtinSymbol,
  mayBeUploaded,
} from "../shared/schemas/builtin-symbols.ts";

/** The last segment of an id; the whole id when nothing follows its last slash. */
export function filenameOf(symbolId: string): string {
  return symbolId.slice(symbolId.lastIndexOf("/") + 1) || symbolId;
}

/**
 * Checks built-in ids first, which saves a read of the table; clients cannot upload a symbol under a built-in id. What they uploaded before
 * the id was built in stays.
 *
 * @param read reads the uploaded symbol of exactly this id
 * @throws ApiError 404 when no symbol has the id
 */
export async function findSymbol<T>(
  symbolId: string,
  read: (symbolId: string) => Promise<T | undefined>,
): Promise<{ readonly uploaded: T } | { readonly builtin: BuiltinSymbol }> {
  const exact = builtinSymbol(symbolId);
  if (exact && !mayBeUploaded(exact)) return { builtin: exact };
  const uploaded = await read(symbolId);
  if (uploaded !== undefined) return { uploaded };
  const named = exact ?? builtinByFilename(filenameOf(symbolId));
  if (named) return { builtin: named };
  throw failureOf(SYMBOL_ERRORS, "symbol.not-found", { symbol_id: symbolId });
}
