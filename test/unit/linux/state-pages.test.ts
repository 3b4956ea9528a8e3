import { expect, test } from "vitest";
import {
  BasePages,
  decodeDifference,
  encodeDifference,
} from "../../../packages/linux/machine/state-pages.ts";

const PAGE = 4_096;

/** A state as the emulator writes it. */
function makeState(buffers: readonly Uint8Array[], more = ""): Uint8Array {
  let offset = 0;
  const buffer_infos = buffers.map(({ length }) => {
    const at = offset;
    offset += (length + 3) & ~3;
    return { offset: at, length };
  });
  const text = Buffer.from(JSON.stringify({ buffer_infos, state: [more] }));
  const start = (16 + text.length + 3) & ~3;
  const state = new Uint8Array(start + offset);
  new DataView(state.buffer).setUint32(12, text.length, true);
  state.set(text, 16);
  for (const [index, buffer] of buffers.entries()) state.set(buffer, start + buffer_infos[index]!.offset);
  return state;
}

const filled = (value: number, length = PAGE) => new Uint8Array(length).fill(value);
const pages = (...values: number[]) => Uint8Array.from(values.flatMap((value) => [...filled(value)]));

const base = makeState([pages(1, 2, 3), filled(9, 100)]);

test.each([
  ["the image's state", base],
  ["a state with a changed page", makeState([pages(1, 7, 3), filled(9, 100)])],
  ["pages at other places", makeState([pages(3, 3, 2, 1, 8), filled(9, 100)])],
  ["a longer description", makeState([pages(1, 2, 3), filled(9, 100)], "more of it")],
  ["a shorter last page", makeState([pages(1, 2), filled(9, 33)])],
  ["no buffer", makeState([])],
])("%s is restored from its difference", (_name, state) => {
  const difference = encodeDifference(new BasePages(base), state);
  expect(decodeDifference(new BasePages(base), difference)).toEqual(state);
});

test("a difference holds the new pages only", () => {
  const noise = Uint8Array.from({ length: 64 * PAGE }, (_, index) => Math.imul(index, 2_654_435_761) >>> 13);
  const large = makeState([noise]);
  const changed = makeState([Uint8Array.from(noise, (byte, index) => (index < PAGE ? byte ^ 0xff : byte))]);
  expect(encodeDifference(new BasePages(large), changed).length).toBeLessThan(3 * PAGE);
});

test("a difference from another image is refused", () => {
  const difference = encodeDifference(new BasePages(base), base);
  expect(() => decodeDifference(new BasePages(makeState([])), difference)).toThrow("has no page 0");
});
