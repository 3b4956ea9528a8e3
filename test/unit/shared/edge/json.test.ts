import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiError } from "../../../../functions/shared/edge/errors.ts";
import { decodeJson } from "../../../../functions/shared/edge/http/json.ts";

const decode = (text: string): unknown => decodeJson(new TextEncoder().encode(text));

describe("decodeJson", () => {
  test("returns any JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 10, stringUnit: "grapheme" }), (value) => {
        fc.pre(!JSON.stringify(value).includes("__proto__"));
        expect(decode(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("throws only an ApiError, for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        try {
          decodeJson(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
    );
  });

  test.each([
    ['"\\ud800"', "half of a surrogate pair"],
    ['{"\\udc00": 1}', "half of a surrogate pair"],
    [`${"[".repeat(25)}${"]".repeat(25)}`, "more than 24 levels deep"],
    ['{"a": {"__proto__": 1}}', "a key is __proto__"],
    ["{", "Invalid JSON"],
  ])("refuses %s", (text, message) => {
    expect(() => decode(text)).toThrow(message);
  });

  test("takes 24 levels", () => {
    expect(decode(`${"[".repeat(24)}${"]".repeat(24)}`)).toBeDefined();
  });
});
