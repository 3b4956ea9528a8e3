import { describe, expect, test } from "vitest";
import { ApiError } from "../../../../../functions/shared/edge/errors.ts";
import { recogniseImage } from "../../../../../functions/shared/edge/image/recognise-image.ts";
import { PNG, RASTERS, svg, utf8 } from "../../../symbols/images.ts";

const refusal = (bytes: Uint8Array): ApiError => {
  try {
    recogniseImage(bytes);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("it was accepted");
};

describe("the content of an upload", () => {
  test.each(RASTERS)("$name is accepted", ({ bytes, contentType }) => {
    expect(recogniseImage(bytes)).toMatchObject({ contentType, size: { width: 3, height: 2 } });
  });

  test("an SVG is accepted, with a size or without", () => {
    expect(recogniseImage(svg(3, 2))).toEqual({
      contentType: "image/svg+xml",
      size: { width: 3, height: 2 },
    });
    expect(recogniseImage(utf8("<svg/>"))).toEqual({ contentType: "image/svg+xml", size: undefined });
  });

  test.each([
    ["nothing", utf8(""), "an empty body"],
    ["a broken PNG", PNG.subarray(0, 20), "a broken PNG image"],
    ["a page", utf8("<html/>"), "XML whose root element is html"],
    ["an archive", Uint8Array.of(0x1f, 0x8b, 8, 0), "4 bytes that are neither an image nor text"],
  ])("%s is refused with the expected and the found content", (_what, bytes, found) => {
    const error = refusal(bytes);
    const message = `expected an SVG, PNG, JPEG, GIF or WebP image, found ${found}`;
    expect(error).toMatchObject({ code: "request.invalid", status: 400 });
    expect(error.message).toContain(message);
    expect(error.problems).toEqual([{ path: "body", message }]);
  });
});
