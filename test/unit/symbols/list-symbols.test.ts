import { describe, expect, test } from "vitest";
import { z } from "zod/mini";
import { BUILTIN_SYMBOLS } from "../../../functions/shared/schemas/builtin-symbols.ts";
import { symbol } from "../../../functions/shared/schemas/symbol.ts";
import { symbolList } from "../../../functions/symbols/list-symbols.ts";

describe("the list of symbols", () => {
  test("it has every built-in symbol and every uploaded one, in the declared shape", () => {
    const list = symbolList(["b.svg", "dir/a.svg", "dir/"]);
    expect(z.array(symbol).parse(list)).toEqual(list);
    expect(list).toHaveLength(BUILTIN_SYMBOLS.length + 3);
    expect(list).toContainEqual({
      builtin: true,
      filename: "router.svg",
      symbol_id: ":/symbols/classic/router.svg",
      theme: "Classic",
    });
    expect(list.filter((item) => !item.builtin)).toEqual(
      [
        ["b.svg", "b.svg"],
        ["dir/", "dir/"],
        ["a.svg", "dir/a.svg"],
      ].map(([filename, symbol_id]) => ({ builtin: false, filename, symbol_id, theme: "Custom symbols" })),
    );
  });

  test("it is in the order of themes, then of ids", () => {
    const list = symbolList(["é.svg", "Z.svg", "a.svg"]);
    expect(list.map(({ theme }) => theme)).toEqual(list.map(({ theme }) => theme).toSorted());
    for (const items of Map.groupBy(list, ({ theme }) => theme).values()) {
      const ids = items.map(({ symbol_id }) => symbol_id);
      expect(ids).toEqual(ids.toSorted());
    }
  });
});
