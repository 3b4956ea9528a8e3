/** A node's appearance on the canvas: the size of its symbol, and its label. */
import { builtinByFilename, builtinSymbol, mayBeUploaded } from "../schemas/builtin-symbols.ts";
import type { Label } from "../schemas/common.ts";
import { getSymbol } from "../store/symbol/symbol.ts";

export const DEFAULT_SYMBOL = ":/symbols/computer.svg";

/** Size that clients show for a symbol of unknown size. */
const FALLBACK_SIZE = { width: 65, height: 59 };

const LABEL_GAP = 10;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Resolves the symbol like a read of it: the exact id, built in or uploaded, then a built-in one with the same file name. */
export async function symbolSize(symbolId: string, unknown: Size = FALLBACK_SIZE): Promise<Size> {
  const exact = builtinSymbol(symbolId);
  if (exact && !mayBeUploaded(exact)) return { width: exact.width, height: exact.height };
  // Nearly all nodes have the default symbol, so it is not worth a read.
  const uploaded = symbolId === DEFAULT_SYMBOL ? undefined : await getSymbol(symbolId);
  if (uploaded?.width && uploaded.height) return { width: uploaded.width, height: uploaded.height };
  const named = exact ?? builtinByFilename(symbolId.slice(symbolId.lastIndexOf("/") + 1));
  return named ? { width: named.width, height: named.height } : unknown;
}

/** The default label: the node's name, centred above it. */
export const defaultLabel = (name: string, height: number): Label => ({
  rotation: 0,
  style: null,
  text: name,
  x: null,
  y: -Math.round(height / 2 + LABEL_GAP),
});
