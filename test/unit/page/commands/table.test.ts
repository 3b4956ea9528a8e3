import { describe, expect, test } from "vitest";
import { COMMAND_ROWS, commandOf, KEY_LIST, keysOf } from "../../../../page/src/commands/table.ts";

const press = (key: string, held: Partial<Parameters<typeof keysOf>[0]> = {}) =>
  keysOf({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held });

describe("the table of commands", () => {
  test("gives no keys to two commands", () => {
    const all = COMMAND_ROWS.flatMap(([, { keys = [] }]) => keys);
    expect(all.toSorted()).toEqual([...new Set(all)].toSorted());
  });

  test("has names that differ", () => {
    const names = COMMAND_ROWS.map(([, { name }]) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test("lists all keys with what they do", () => {
    expect(KEY_LIST).toContainEqual({ keys: ["Ctrl-Y", "Ctrl-Shift-Z"], about: "redo" });
    expect(KEY_LIST).toContainEqual({
      keys: ["←", "→", "↑", "↓"],
      about: "move the selected devices; without them, the map",
    });
  });
});

describe("a press of keys", () => {
  test.each([
    ["c", {}, "cable"],
    ["C", {}, "cable"],
    ["c", { ctrlKey: true }, "copy"],
    ["c", { metaKey: true }, "copy"],
    ["Z", { ctrlKey: true, shiftKey: true }, "redo"],
    // Signs take Shift on some keyboards.
    ["?", { shiftKey: true }, "keyList"],
    ["+", { shiftKey: true }, "zoomIn"],
    ["F2", {}, "rename"],
    ["C", { shiftKey: true }, undefined],
    ["c", { altKey: true }, undefined],
    ["F2", { shiftKey: true }, undefined],
  ] as const)("of %s with %o is %s", (key, held, id) => {
    expect(commandOf(press(key, held))).toBe(id);
  });
});
