/** The text of a lab's tests, which several pages may change. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const place = { href: "http://127.0.0.1/v2/page/", origin: "http://127.0.0.1", pathname: "/v2/page/" };
const storage = { getItem: () => null, setItem() {}, removeItem() {} };

beforeEach(() => {
  vi.stubGlobal("location", { ...place, hash: "", search: "" });
  vi.stubGlobal("sessionStorage", storage);
  vi.stubGlobal("localStorage", storage);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const FIRST = "expect: []\n";

/** A page with the text, and the file that it shares with others. */
async function open(stored?: string) {
  const { StoredText } = await import("../../../../page/src/tests/stored-text.ts" as string);
  const file = { text: stored, writes: 0, fails: false };
  const text = new StoredText(
    {
      read: async () => file.text,
      async write(next: string) {
        if (file.fails) throw new Error("no network");
        file.text = next;
        file.writes += 1;
      },
    },
    FIRST,
  );
  await text.refresh();
  return { file, text };
}

describe("the text of a lab's tests", () => {
  test("is that of the file, or the first one, which is not stored until it is changed", async () => {
    expect((await open("a")).text.text.value).toBe("a");
    const { file, text } = await open();
    await text.store();
    expect([text.text.value, file.text]).toEqual([FIRST, undefined]);
  });

  test("is stored once, when the user pauses", async () => {
    const { file, text } = await open("a");
    for (const typed of ["ab", "abc", "abcd"]) text.edit(typed);
    await vi.advanceTimersByTimeAsync(700);
    expect(file.writes).toBe(0);
    await vi.advanceTimersByTimeAsync(200);
    expect(file).toMatchObject({ text: "abcd", writes: 1 });
  });

  test("follows the file while nothing was typed, and keeps what was typed", async () => {
    const { file, text } = await open("a");
    file.text = "b";
    await text.refresh();
    expect(text.text.value).toBe("b");
    text.edit("mine");
    file.text = "c";
    await text.refresh();
    expect(text.text.value).toBe("mine");
  });

  test("is never stored over a text that was stored elsewhere meanwhile, unless the user says so", async () => {
    const { file, text } = await open("a");
    file.text = "theirs";
    text.edit("mine");
    await text.store();
    expect([file.text, text.text.value, text.theirs.value]).toEqual(["theirs", "mine", "theirs"]);
    text.edit("mine, too");
    await text.store();
    expect(file.text).toBe("theirs");
    await text.keepOwn();
    expect([file.text, text.theirs.value]).toEqual(["mine, too", undefined]);
  });

  test("is the other text when the user takes it", async () => {
    const { file, text } = await open("a");
    file.text = "theirs";
    text.edit("mine");
    await text.store();
    text.takeTheirs();
    await text.store();
    expect([text.text.value, file.text, text.theirs.value]).toEqual(["theirs", "theirs", undefined]);
  });

  test("says why it is not stored, and is stored by the next change that can be", async () => {
    const { file, text } = await open("a");
    file.fails = true;
    text.edit("b");
    await text.store();
    expect(text.problem.value).toBe("The tests are not stored: no network");
    file.fails = false;
    text.edit("bc");
    await text.store();
    expect([file.text, text.problem.value]).toEqual(["bc", ""]);
  });
});
