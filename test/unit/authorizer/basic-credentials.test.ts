import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCredentials } from "../../../functions/authorizer/basic-credentials.ts";
import { isUserName } from "../../../functions/shared/store/user/user.ts";

const encode = (text: string): string => Buffer.from(text).toString("base64");

describe("the header of HTTP Basic", () => {
  test("is the example of RFC 7617", () => {
    expect(readCredentials("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")).toEqual({
      user: "Aladdin",
      password: "open sesame",
    });
  });

  test("is decoded to the encoded credentials, for any password", () => {
    const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/);
    const password = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 60 })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters that are rejected
      .filter((text) => text.isWellFormed() && !/[\0-\x1f\x7f]/.test(text) && Buffer.byteLength(text) <= 512);
    return fc.assert(
      fc.property(name, password, (user, text) => {
        expect(readCredentials(`Basic ${encode(`${user}:${text}`)}`)).toEqual({ user, password: text });
      }),
    );
  });

  test("never throws, and never returns an invalid name", () => {
    const header = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.uint8Array().map((bytes) => `Basic ${Buffer.from(bytes).toString("base64")}`),
    );
    return fc.assert(
      fc.property(header, (text) => {
        const credentials = readCredentials(text);
        expect(credentials === null || isUserName(credentials.user)).toBe(true);
      }),
    );
  });

  test("has its scheme in any case (RFC 9110)", () => {
    expect(readCredentials(`bAsIc ${encode("a:b")}`)).toEqual({ user: "a", password: "b" });
  });
});
