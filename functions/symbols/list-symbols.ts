import type { Operation } from "../shared/edge/operation.ts";
import { BUILTIN_SYMBOLS, DEFAULT_SYMBOLS } from "../shared/schemas/builtin-symbols.ts";
import type { Symbol as SymbolResource } from "../shared/schemas/symbol.ts";
import { listSymbols as readSymbols } from "../shared/store/symbol/symbol.ts";
import { filenameOf } from "./find-symbol.ts";
import type { group } from "./routes.ts";

const CUSTOM_THEME = "Custom symbols";

export const listSymbols: Operation<typeof group.routes.listSymbols> = async () => {
  const uploaded = await readSymbols();
  return { status: 200, body: symbolList(uploaded.map((symbol) => symbol.symbol_id)) };
};

export const defaultSymbols: Operation<typeof group.routes.defaultSymbols> = async () => ({
  status: 200,
  body: DEFAULT_SYMBOLS,
});

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byThemeAndId = (a: SymbolResource, b: SymbolResource): number =>
  compare(a.theme, b.theme) || compare(a.symbol_id, b.symbol_id);

const BUILTIN: readonly SymbolResource[] = BUILTIN_SYMBOLS.map(({ symbol_id, filename, theme }) => ({
  builtin: true,
  filename,
  symbol_id,
  theme,
})).sort(byThemeAndId);
const AFTER_CUSTOM = BUILTIN.findIndex(({ theme }) => theme > CUSTOM_THEME);

/** All symbols, by theme, then by id, in the order of their UTF-16 code units. No built-in symbol is of the custom theme. */
export function symbolList(uploadedIds: readonly string[]): SymbolResource[] {
  const uploaded = uploadedIds.map((symbol_id) => ({
    builtin: false,
    filename: filenameOf(symbol_id),
    symbol_id,
    theme: CUSTOM_THEME,
  }));
  // An id that was uploaded before it was built in is listed once.
  const ids = new Set(uploadedIds);
  const isFree = ({ symbol_id }: SymbolResource): boolean => !ids.has(symbol_id);
  const place = AFTER_CUSTOM < 0 ? BUILTIN.length : AFTER_CUSTOM;
  return [
    ...BUILTIN.slice(0, place).filter(isFree),
    ...uploaded.sort(byThemeAndId),
    ...BUILTIN.slice(place).filter(isFree),
  ];
}
