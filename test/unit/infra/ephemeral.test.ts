/** What an ephemeral stack leaves out, and the tags by which the janitor knows it. */
import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { makeStack, templateOf } from "../../helpers/stack/stack.ts";

let template: Template;
beforeAll(() => {
  template = templateOf({ ephemeral: "true", edge: "true" });
});

describe("an ephemeral stack", () => {
  test("has no log of its buckets, and no bucket for one", () => {
    const buckets = template.findResources("AWS::S3::Bucket");
    expect(Object.keys(buckets).map((id) => id.replace(/[0-9A-F]{8}$/, ""))).toEqual([
      "BucketData",
      "EdgePages",
    ]);
    for (const { Properties } of Object.values(buckets))
      expect(Properties.LoggingConfiguration).toBeUndefined();
  });

  test("has tags, with its end if it was given", () => {
    const tagsOf = (settings: Record<string, string>) => makeStack(settings).stack.tags.tagValues();
    const expires = "2030-01-31T18:00Z";
    expect(tagsOf({ ephemeral: "true" })).toEqual({ wirelab: "Wirelab", "wirelab-lifetime": "ephemeral" });
    expect(tagsOf({ ephemeral: "true", expires })).toMatchObject({
      "wirelab-lifetime": "ephemeral",
      expires,
    });
    expect(tagsOf({})).toEqual({ wirelab: "Wirelab" });
  });
});

describe("the setting expires", () => {
  test("is refused for a lasting stack", () => {
    expect(() => makeStack({ expires: "2030-01-31T18:00Z" })).toThrow(
      "The context key expires requires ephemeral=true; a lasting stack is never deleted",
    );
  });

  test.each(["tomorrow", "2030-01-31", "2030-01-31T18:00+01:00"])("is no text such as %s", (expires) => {
    expect(() => makeStack({ ephemeral: "true", expires })).toThrow(
      `The context key expires is ${expires}; it must be a time in UTC`,
    );
  });
});
