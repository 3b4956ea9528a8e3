/** How a node looks on the canvas: the size of its symbol, and its label. */
import { builtinByFilename, builtinSymbol } from "../api/schemas/builtin-symbols.ts";
import type { Label } from "../api/schemas/common.ts";
import { getSymbol } from "../store/symbol.ts";

export const DEFAULT_SYMBOL = ":/symbols/computer.svg";

/** What clients show for a symbol whose size is not known. */
const FALLBACK_SIZE = { width: 65, height: 59 };

const LABEL_GAP = 10;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** As when a symbol is read: the very id, built in or uploaded, then a built-in one of the same file name. */
export async function symbolSize(symbolId: string): Promise<Size> {
  const exact = builtinSymbol(symbolId);
  if (exact) return { width: exact.width, height: exact.height };
  // Nearly all nodes have the default: it is not worth a read each.
  const uploaded = symbolId === DEFAULT_SYMBOL ? undefined : await getSymbol(symbolId);
  if (uploaded?.width && uploaded.height) return { width: uploaded.width, height: uploaded.height };
  const named = builtinByFilename(symbolId.slice(symbolId.lastIndexOf("/") + 1));
  return named ? { width: named.width, height: named.height } : FALLBACK_SIZE;
}

/** The label of a node that was given none: its name, centred above it. */
export const defaultLabel = (name: string, height: number): Label => ({
  rotation: 0,
  style: null,
  text: name,
  x: null,
  y: -Math.round(height / 2 + LABEL_GAP),
});
