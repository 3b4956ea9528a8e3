/** Tags and termination protection of stacks. */
import { expect, test } from "vitest";
import { Settings } from "../../../infra/chosen-settings.ts";
import { readTags } from "../../../infra/tags.ts";
import { makeStack } from "../../helpers/stack/stack.ts";

test("a stack has its name as a tag, and those of the setting", () => {
  expect(readTags(new Settings())).toEqual({ wirelab: "Wirelab" });
  expect(readTags(new Settings({ stack_name: "Lab", tags: "team=network, stage=a=b,empty=" }))).toEqual({
    wirelab: "Lab",
    team: "network",
    stage: "a=b",
    empty: "",
  });
});

test.each(["team", "=x", "aws:name=x", "a=b,c", "te<am=x", `${"k".repeat(129)}=x`])(
  "tags=%s is refused",
  (tags) => {
    expect(() => readTags(new Settings({ tags }))).toThrow(/^The setting tags has .*; it must list tags/);
  },
);

test("the tags are the stack's, and a lasting stack is protected from its deletion", () => {
  const lasting = makeStack({ tags: "team=network" }).stack;
  expect(lasting.tags.tagValues()).toEqual({ team: "network", wirelab: "Wirelab" });
  expect(lasting.terminationProtection).toBe(true);
  expect(makeStack({ ephemeral: "true", auth: "none" }).stack.terminationProtection).toBe(false);
});
