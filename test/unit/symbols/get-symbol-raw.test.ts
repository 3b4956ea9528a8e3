import { describe, expect, test } from "vitest";
import { entityTag } from "../../../functions/shared/edge/http/entity-tag.ts";
import { answerImage } from "../../../functions/symbols/get-symbol-raw.ts";
import { PNG } from "./images.ts";

const etag = entityTag(PNG);
const image = { bytes: PNG, contentType: "image/png", etag };

describe("the response to a raw GET", () => {
  test("has the bytes, their type, their tag, and the headers that make a hostile SVG harmless", () => {
    expect(answerImage(image, undefined)).toEqual({
      status: 200,
      body: PNG,
      contentType: "image/png",
      headers: {
        etag,
        "cache-control": "no-cache",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
      },
    });
  });

  test("a caller who has the image gets 304 without a body, with the same headers", () => {
    const { headers } = answerImage(image, undefined);
    expect(answerImage(image, `W/${etag}`)).toEqual({ status: 304, headers });
    expect(answerImage({ contentType: "image/png", etag }, etag)).toEqual({ status: 304, headers });
  });

  test("a caller who has another image gets the current one", () => {
    expect(answerImage(image, '"other"').status).toBe(200);
  });
});
