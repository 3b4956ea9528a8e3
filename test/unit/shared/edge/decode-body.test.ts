import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { decodeBody } from "../../../../functions/shared/edge/http/decode-body.ts";

const bytes = Buffer.from('{"name": "lab"}');
const codeOf = (task: () => unknown): string => {
  try {
    task();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return "none";
};

test.each([undefined, "identity", " Identity "])("a body in %s stays as it is", (encoding) => {
  expect(decodeBody(bytes, encoding, 100)).toBe(bytes);
});

test.each(["gzip", "GZIP ", "x-gzip"])("a body in %s is decompressed", (encoding) => {
  expect(Buffer.from(decodeBody(gzipSync(bytes), encoding, 100))).toEqual(bytes);
});

test("a body that the gateway has decompressed is taken as it is", () => {
  expect(decodeBody(bytes, "gzip", 100)).toBe(bytes);
});

test("a body may have exactly the limit when decompressed, and not a byte more", () => {
  const packed = gzipSync(Buffer.alloc(1000));
  expect(decodeBody(packed, "gzip", 1000)).toHaveLength(1000);
  expect(codeOf(() => decodeBody(packed, "gzip", 999))).toBe("request.too-large");
});

test("damaged data and other codings are refused", () => {
  expect(codeOf(() => decodeBody(gzipSync(bytes).subarray(0, 15), "gzip", 100))).toBe("request.invalid");
  for (const encoding of ["br", "deflate", "gzip, gzip", ""]) {
    expect(
      codeOf(() => decodeBody(bytes, encoding, 100)),
      encoding,
    ).toBe("request.encoded");
  }
});
