import { describe, expect, test } from "vitest";
import { recogniseImage } from "../../../functions/shared/edge/image/recognise-image.ts";
import { BUILTIN_SYMBOLS } from "../../../functions/shared/schemas/builtin-symbols.ts";
import { builtinImage } from "../../../functions/symbols/drawings.ts";

const textOf = (symbol: (typeof BUILTIN_SYMBOLS)[number]): string =>
  new TextDecoder().decode(builtinImage(symbol).bytes);

describe("drawings of the built-in symbols", () => {
  test.each(BUILTIN_SYMBOLS)("$symbol_id could be uploaded, and has the size that is declared", (symbol) => {
    const { width, height } = symbol;
    expect(recogniseImage(builtinImage(symbol).bytes)).toEqual({
      contentType: "image/svg+xml",
      size: { width, height },
    });
    expect(textOf(symbol)).toContain(`viewBox="0 0 ${width} ${height}"`);
  });

  test("no two in a theme look the same", () => {
    for (const symbols of Map.groupBy(BUILTIN_SYMBOLS, (symbol) => symbol.theme).values()) {
      expect(new Set(symbols.map(textOf)).size).toBe(symbols.length);
    }
  });

  test("they contain no script, no event handler, no reference and no invalid number", () => {
    for (const symbol of BUILTIN_SYMBOLS) {
      expect(textOf(symbol)).not.toMatch(/script|\bon\w+=|href|url\(|currentColor|NaN|undefined|Infinity/);
    }
  });

  test("a drawing is small, and its entity tag stays the same", () => {
    for (const symbol of BUILTIN_SYMBOLS) {
      const image = builtinImage(symbol);
      expect(image.bytes.length).toBeLessThan(4096);
      expect(builtinImage(symbol).etag).toBe(image.etag);
    }
  });
});
