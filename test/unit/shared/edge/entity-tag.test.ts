import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entityTag, isNamed } from "../../../../functions/shared/edge/http/entity-tag.ts";
import { utf8 } from "../../symbols/images.ts";

const TAG = entityTag(utf8("a"));

describe("entity tags", () => {
  test("a tag is strong, quoted, and depends only on the bytes", () => {
    expect(TAG).toMatch(/^"[\w-]{43}"$/);
    expect(entityTag(utf8("a"))).toBe(TAG);
    expect(entityTag(utf8("b"))).not.toBe(TAG);
  });

  test.each([
    ["the tag", TAG],
    ["the tag, weak", `W/${TAG}`],
    ["a list with it", `"other", ${TAG}`],
    ["a list without spaces", `W/"other",${TAG},"more"`],
    ["a list where another tag has a comma", `"a,b", ${TAG}`],
    ["an asterisk", "*"],
    ["an asterisk among spaces", " * "],
  ])("If-None-Match with %s matches", (_what, field) => {
    expect(isNamed(TAG, field)).toBe(true);
  });

  test.each([
    ["nothing", undefined],
    ["an empty field", ""],
    ["another tag", '"other"'],
    ["the tag without quotes", TAG.slice(1, -1)],
    ["half of the tag", `${TAG.slice(0, 10)}"`],
    ["an asterisk as a tag", '"*"'],
  ])("If-None-Match with %s does not match", (_what, field) => {
    expect(isNamed(TAG, field)).toBe(false);
  });

  test("any list that contains the tag matches, and no field throws", () => {
    const other = fc.stringMatching(/^[\x21\x23-\x7e]*$/).map((text) => `"${text}"`);
    fc.assert(
      fc.property(fc.array(other), fc.array(other), (before, after) => {
        expect(isNamed(TAG, [...before, TAG, ...after].join(", "))).toBe(true);
      }),
    );
    fc.assert(fc.property(fc.string(), (field) => void isNamed(TAG, field)));
  });
});
