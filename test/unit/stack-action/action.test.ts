/** The stack action's description, its committed bundles, and the names that it gives. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { buildStackAction, DIST } from "../../../stack/build.ts";
import { defaultStackName, isStackName } from "../../../stack/src/stack-name.ts";

const read = (path: string) => readFileSync(new URL(`../../../stack/${path}`, import.meta.url), "utf8");

test("the bundles in the repository are what the sources make: npm run build:stack", async () => {
  const built = await buildStackAction();
  expect(readdirSync(DIST).toSorted()).toEqual([...built.keys()].toSorted());
  for (const [name, text] of built) expect(readFileSync(`${DIST}/${name}`, "utf8") === text, name).toBe(true);
});

test("it runs the bundles on GitHub's Node, the post step always", () => {
  const { runs, inputs, outputs } = parse(read("action.yml"));
  expect(runs).toEqual({
    using: "node24",
    main: "dist/main.js",
    post: "dist/post.js",
    "post-if": "always()",
  });
  for (const each of [...Object.values(inputs), ...Object.values(outputs)])
    expect((each as { description: string }).description).toMatch(/\w/);
  const code = read("src/inputs.ts") + read("src/main.ts");
  const used = [...code.matchAll(/(?:readInput|path)\("(\w+)"/g)].map(([, name]) => name);
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(inputs).toSorted());
  const set = [...code.matchAll(/setOutput\("(\w+)"/g)].map(([, name]) => name);
  expect([...new Set(set)].toSorted()).toEqual(Object.keys(outputs).toSorted());
});

describe("the default name of a stack", () => {
  test.each([
    [{ GITHUB_REPOSITORY: "o/labs", GITHUB_REF: "refs/pull/7/merge" }, "wirelab-labs-pr-7"],
    [
      {
        GITHUB_REPOSITORY: "o/labs",
        GITHUB_REF: "refs/heads/main",
        GITHUB_RUN_ID: "81",
        GITHUB_RUN_ATTEMPT: "2",
      },
      "wirelab-labs-81-2",
    ],
    [
      { GITHUB_REPOSITORY: "o/_.My_Long.Repository-Name-Of-Labs", GITHUB_REF: "refs/pull/7/merge" },
      "wirelab-my-long-repository-name-pr-7",
    ],
    [{}, "wirelab-0-1"],
  ])("of %o is %s", (environment, name) => {
    expect(defaultStackName(environment)).toBe(name);
    expect(isStackName(name)).toBe(true);
  });
});
