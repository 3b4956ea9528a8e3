import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Gate, HASH_GATE, makeGate } from "../../../functions/authorizer/hash-gate.ts";

const SETTINGS = { atOnce: 2, waiting: 3, patienceMs: 1_000 };

/** Work that ends when the test releases it. */
function makeWork(gate: Gate) {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const start = (name: string, isFirst = false) => {
    const end = Promise.withResolvers<string>();
    ends.set(name, end);
    return gate(
      () => {
        begun.push(name);
        return end.promise;
      },
      { isFirst },
    );
  };
  return { begun, start, end: (name: string) => ends.get(name)!.resolve(name), ends };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(0);

describe("the gate before the hashes", () => {
  test("admits a fixed number at once, and the others in order of arrival", async () => {
    const { begun, start, end } = makeWork(makeGate(SETTINGS));
    const results = ["a", "b", "c", "d"].map((name) => start(name));
    await settle();
    expect(begun).toEqual(["a", "b"]);
    end("b");
    await settle();
    expect(begun).toEqual(["a", "b", "c"]);
    for (const name of ["a", "c", "d"]) end(name);
    expect(await Promise.all(results)).toEqual(["a", "b", "c", "d"]);
  });

  test("rejects a request at once when too many are waiting", async () => {
    const { begun, start } = makeWork(makeGate(SETTINGS));
    for (const name of ["a", "b", "c", "d", "e"]) void start(name);
    expect(await start("f")).toBe("busy");
    expect(begun).toEqual(["a", "b"]);
  });

  test("reserves places for users at addresses where they have signed in before, and admits them first", async () => {
    const { begun, start, end } = makeWork(makeGate(SETTINGS));
    for (const name of ["a", "b", "c", "d", "e"]) void start(name);
    const known = start("known", true);
    await settle();
    end("a");
    await settle();
    expect(begun).toEqual(["a", "b", "known"]);
    end("known");
    expect(await known).toBe("known");
  });

  test("rejects a request that waits too long, and passes its place on", async () => {
    const { begun, start, end } = makeWork(makeGate(SETTINGS));
    void start("a");
    void start("b");
    const waiting = start("c");
    await vi.advanceTimersByTimeAsync(SETTINGS.patienceMs);
    expect(await waiting).toBe("busy");
    end("a");
    await settle();
    void start("d");
    await settle();
    expect(begun).toEqual(["a", "b", "d"]);
  });

  test("opens again after work that fails", async () => {
    const { begun, start, ends, end } = makeWork(makeGate({ ...SETTINGS, atOnce: 1 }));
    const failing = start("a");
    const next = start("b");
    ends.get("a")!.reject(new Error("no memory"));
    await expect(failing).rejects.toThrow("no memory");
    end("b");
    expect(await next).toBe("b");
    expect(begun).toEqual(["a", "b"]);
  });

  test("admits at most as many as there are threads for hashes", () => {
    expect(HASH_GATE.atOnce).toBe(4);
  });
});
