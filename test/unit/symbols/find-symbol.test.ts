import { describe, expect, test } from "vitest";
import { ApiError } from "../../../functions/shared/edge/errors.ts";
import { filenameOf, findSymbol } from "../../../functions/symbols/find-symbol.ts";

const uploads = (...ids: string[]) => {
  const asked: string[] = [];
  return {
    asked,
    read: async (id: string) => {
      asked.push(id);
      return ids.includes(id) ? { id } : undefined;
    },
  };
};

const builtinOf = async (id: string, ...uploaded: string[]): Promise<string | undefined> => {
  const found = await findSymbol(id, uploads(...uploaded).read);
  return "builtin" in found ? found.builtin.symbol_id : undefined;
};

describe("the symbol of an id", () => {
  test("a built-in id finds its symbol without a read of the store", async () => {
    const { read, asked } = uploads();
    const found = await findSymbol(":/symbols/affinity/circle/red/nat.svg", read);
    expect(found).toMatchObject({ builtin: { theme: "Affinity-circle-red", filename: "nat.svg" } });
    expect(asked).toEqual([]);
  });

  test("an uploaded symbol takes precedence only for its own id", async () => {
    expect(await findSymbol("router.svg", uploads("router.svg").read)).toEqual({
      uploaded: { id: "router.svg" },
    });
    expect(await builtinOf(":/symbols/router.svg", "router.svg")).toBe(":/symbols/classic/router.svg");
  });

  test("an upload under an id that was built in later keeps its id", async () => {
    const id = ":/symbols/classic/gateway.svg";
    expect(await findSymbol(id, uploads(id).read)).toEqual({ uploaded: { id } });
    expect(await builtinOf(id)).toBe(id);
  });

  test.each([
    ["router.svg", ":/symbols/classic/router.svg"],
    [":/symbols/computer.svg", ":/symbols/classic/computer.svg"],
    ["x/y/router.svg", ":/symbols/classic/router.svg"],
    ["../../etc/cloud.svg", ":/symbols/classic/cloud.svg"],
    [":/symbols/switch.svg", ":/symbols/affinity/circle/blue/switch.svg"],
  ])("the unknown id %s falls back to %s", async (id, builtin) => {
    expect(await builtinOf(id)).toBe(builtin);
  });

  test.each([
    "nope",
    "foo/bar/baz",
    "../../etc/passwd",
    ":/symbols/classic/Router.svg",
    "router.svg/",
    "x router.svg",
    "router",
  ])("%s finds no symbol: 404", async (id) => {
    const failed = await builtinOf(id).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ApiError);
    expect(failed).toMatchObject({ code: "symbol.not-found", status: 404 });
  });

  test.each([
    ["my.svg", "my.svg"],
    ["a/b/my.svg", "my.svg"],
    ["a/b/", "a/b/"],
    ["/", "/"],
    ["a/..", ".."],
  ])("the file name of %s is %s", (id, filename) => {
    expect(filenameOf(id)).toBe(filename);
  });
});
