import { expect, test } from "vitest";
import { ObjectCache } from "../../../../functions/shared/store/base/object-cache.ts";

const KIBIBYTE = 1024;

/** A cache over objects of the given sizes, and the keys that were read from the bucket. */
function cacheOver(sizes: Readonly<Record<string, number>>) {
  const cache = new ObjectCache();
  const reads: string[] = [];
  const get = (key: string) =>
    cache.get(key, async () => {
      reads.push(key);
      return sizes[key] === undefined ? undefined : new Uint8Array(sizes[key]);
    });
  return { get, reads };
}

test("reads an object once", async () => {
  const { get, reads } = cacheOver({ a: 10 });
  const [first, again] = [await get("a"), await get("a")];
  expect(again).toBe(first);
  expect(reads).toEqual(["a"]);
});

test("requests a missing object again", async () => {
  const { get, reads } = cacheOver({});
  expect([await get("a"), await get("a")]).toEqual([undefined, undefined]);
  expect(reads).toEqual(["a", "a"]);
});

test("keeps no object that is larger than 256 KiB", async () => {
  const { get, reads } = cacheOver({ most: 256 * KIBIBYTE, more: 256 * KIBIBYTE + 1 });
  for (const key of ["most", "more", "most", "more"]) await get(key);
  expect(reads).toEqual(["most", "more", "more"]);
});

test("keeps 8 MiB, and evicts the least recently used object first", async () => {
  const keys = Array.from({ length: 33 }, (_, index) => `object-${index}`);
  const { get, reads } = cacheOver(Object.fromEntries(keys.map((key) => [key, 256 * KIBIBYTE])));
  for (const key of keys.slice(0, 32)) await get(key);
  await get("object-0");
  await get("object-32");
  reads.length = 0;
  for (const key of ["object-0", "object-32", "object-2", "object-1"]) await get(key);
  expect(reads).toEqual(["object-1"]);
});

test("counts an object once when two requests read it at the same time", async () => {
  const { get, reads } = cacheOver({
    a: 256 * KIBIBYTE,
    ...Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`o${n}`, 256 * KIBIBYTE])),
  });
  await Promise.all([get("a"), get("a")]);
  for (let n = 0; n < 31; n++) await get(`o${n}`);
  reads.length = 0;
  await get("a");
  expect(reads).toEqual([]);
});
