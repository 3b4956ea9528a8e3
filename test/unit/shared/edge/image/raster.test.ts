import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readRaster } from "../../../../../functions/shared/edge/image/raster.ts";
import {
  GIF,
  JPEG,
  PNG,
  RASTERS,
  svg,
  WEBP_EXTENDED,
  WEBP_LOSSLESS,
  WEBP_LOSSY,
} from "../../../symbols/images.ts";

const changed = (bytes: Buffer, at: number, ...values: number[]): Buffer => {
  const copy = Buffer.from(bytes);
  copy.set(values, at);
  return copy;
};

/** A PNG with changed header bytes and a recomputed checksum. */
const resealed = (at: number, ...values: number[]): Buffer => {
  const png = changed(PNG, at, ...values);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
};

describe("raster images", () => {
  test.each(RASTERS)("$name is identified by its content, and measured", ({ bytes, contentType }) => {
    expect(readRaster(bytes)).toEqual({ ok: true, contentType, size: { width: 3, height: 2 } });
  });

  test.each(RASTERS)("$name is found in the middle of a larger buffer, too", ({ bytes }) => {
    const large = Buffer.concat([Buffer.alloc(7, 0xa5), bytes, Buffer.alloc(9, 0xa5)]);
    expect(readRaster(large.subarray(7, 7 + bytes.length))).toMatchObject({ ok: true });
  });

  test("a 16-bit and an interlaced PNG are sound", () => {
    expect(readRaster(resealed(24, 16, 6))).toMatchObject({ ok: true });
    expect(readRaster(resealed(28, 1))).toMatchObject({ ok: true });
  });

  test.each([
    ["PNG that is a signature alone", PNG.subarray(0, 8)],
    ["PNG cut in its header", PNG.subarray(0, 32)],
    ["PNG whose checksum is wrong", changed(PNG, 19, 4)],
    ["PNG whose first chunk is another", changed(PNG, 12, ...Buffer.from("CgBI"))],
    ["PNG whose header is too long", changed(PNG, 11, 14)],
    ["PNG of no width", resealed(16, 0, 0, 0, 0)],
    ["PNG of no height", resealed(20, 0, 0, 0, 0)],
    ["PNG of a width that cannot be", resealed(16, 0x80, 0, 0, 0)],
    ["PNG of no such depth", resealed(24, 3)],
    ["PNG of no such colour type", resealed(25, 5)],
    ["PNG of no such compression", resealed(26, 1)],
    ["PNG of no such filter", resealed(27, 1)],
    ["PNG of no such interlacing", resealed(28, 2)],
    ["JPEG that is a signature alone", JPEG.subarray(0, 3)],
    ["JPEG without a frame", JPEG.subarray(0, 100)],
    ["JPEG followed by garbage", Buffer.concat([JPEG.subarray(0, 3), Buffer.alloc(2000, 0x41)])],
    ["JPEG of no width", changed(JPEG, JPEG.indexOf(Buffer.of(0xff, 0xc0)) + 7, 0, 0)],
    ["GIF that is a signature alone", GIF.subarray(0, 6)],
    ["GIF cut in its header", GIF.subarray(0, 9)],
    ["GIF cut after its header", GIF.subarray(0, 13)],
    ["GIF of no width", changed(GIF, 6, 0, 0)],
    ["WebP that is a signature alone", WEBP_LOSSY.subarray(0, 12)],
    ["WebP shorter than it says", WEBP_LOSSY.subarray(0, 40)],
    ["WebP whose chunk is longer than the file", changed(WEBP_LOSSY, 16, 0xff, 0xff)],
    ["WebP of an unknown kind", changed(WEBP_LOSSY, 15, 0x5a)],
    ["WebP without a key frame", changed(WEBP_LOSSY, 23, 0)],
    ["WebP of no width", changed(WEBP_LOSSY, 26, 0, 0)],
    ["WebP without the lossless signature", changed(WEBP_LOSSLESS, 20, 0x2e)],
    ["WebP with a short extended header", changed(WEBP_EXTENDED, 16, 4)],
    ["WebP with reserved bits", changed(WEBP_EXTENDED, 20, 0xc0)],
  ])("a %s is broken", (what, bytes) => {
    const [format] = what.split(" ");
    expect(readRaster(bytes)).toEqual({ ok: false, found: `a broken ${format} image` });
  });

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["an SVG", svg(3, 2)],
    ["a bitmap", Buffer.from("BM      ")],
    ["a TIFF", Buffer.from("II*\0    ")],
    ["a RIFF that is sound", Buffer.from("RIFF\x04\0\0\0WAVE", "latin1")],
    ["half a signature", PNG.subarray(0, 7)],
  ])("%s is not recognised", (_what, bytes) => {
    expect(readRaster(bytes)).toBeUndefined();
  });
});
