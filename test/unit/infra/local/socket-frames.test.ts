import fc from "fast-check";
import { expect, it } from "vitest";
import { makeFrameMeter } from "../../../../infra/local/socket-frames.ts";

/** RFC 6455, section 5.2: a masked text frame. */
function frame(length: number): Buffer {
  const mask = [1, 2, 3, 4];
  const header =
    length < 126
      ? [0x81, 0x80 | length]
      : length < 65_536
        ? [0x81, 0x80 | 126, length >> 8, length & 255]
        : [
            0x81,
            0x80 | 127,
            0,
            0,
            0,
            0,
            length >>> 24,
            (length >> 16) & 255,
            (length >> 8) & 255,
            length & 255,
          ];
  return Buffer.concat([Buffer.from([...header, ...mask]), Buffer.alloc(length, 0xff)]);
}

it("measures frames however the stream is cut", () => {
  const lengths = fc.array(fc.constantFrom(0, 1, 125, 126, 200, 65_535, 65_536, 70_000), { maxLength: 5 });
  fc.assert(
    fc.property(lengths, fc.array(fc.integer({ min: 1, max: 90_000 }), { maxLength: 8 }), (frames, cuts) => {
      const stream = Buffer.concat(frames.map(frame));
      const measure = makeFrameMeter();
      const largest: number[] = [0];
      let from = 0;
      for (const cut of [...cuts, stream.length]) {
        largest.push(measure(stream.subarray(from, from + cut)));
        from += cut;
      }
      expect(Math.max(...largest)).toBe(Math.max(0, ...frames));
    }),
    { seed: 1 },
  );
});
