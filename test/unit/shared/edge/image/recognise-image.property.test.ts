import fc from "fast-check";
import { expect, test } from "vitest";
import { ApiError } from "../../../../../functions/shared/edge/errors.ts";
import { recogniseImage } from "../../../../../functions/shared/edge/image/recognise-image.ts";
import { RASTERS, svg } from "../../../symbols/images.ts";

/** @returns whether the bytes were accepted; fails for any error other than an ApiError. */
function isAccepted(bytes: Uint8Array): boolean {
  try {
    const { size } = recogniseImage(bytes);
    for (const side of size ? [size.width, size.height] : []) {
      expect(Number.isSafeInteger(side) && side > 0).toBe(true);
    }
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400 });
    return false;
  }
}

const starts = [...RASTERS.map(({ bytes }) => bytes), Buffer.from(svg(3, 2))];

test("any bytes are accepted or refused with 400", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void isAccepted(bytes)));
});

test("any bytes after the start of an image are accepted or refused with 400", () => {
  const start = fc
    .constantFrom(...starts)
    .chain((bytes) => fc.nat(bytes.length).map((length) => bytes.subarray(0, length)));
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 300 }), (head, tail) => {
      isAccepted(Buffer.concat([head, tail]));
    }),
    { numRuns: 2000 },
  );
});

test("an image with any byte changed is accepted or refused with 400", () => {
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.nat(), fc.nat(255), (image, position, value) => {
      const bytes = Buffer.from(image);
      bytes[position % bytes.length] = value;
      isAccepted(bytes);
    }),
    { numRuns: 2000 },
  );
});

test("any text in angle brackets is accepted or refused with 400", () => {
  const markup = fc.array(
    fc.constantFrom(
      "<svg",
      "</svg>",
      "<g>",
      "</g>",
      ">",
      "/>",
      ' a="1"',
      "&amp;",
      "&x;",
      "<!--",
      "-->",
      "<?",
      "?>",
    ),
  );
  const doctype = fc.constantFrom(
    "",
    "<!DOCTYPE svg>",
    '<!DOCTYPE svg [<!ENTITY x "y">]>',
    "<!DOCTYPE svg [",
  );
  fc.assert(
    fc.property(doctype, markup, (head, parts) => {
      isAccepted(Buffer.from(`${head}${parts.join("")}`));
    }),
    { numRuns: 2000 },
  );
});
