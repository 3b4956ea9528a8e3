import { expect, test } from "vitest";

interface Lab {
  readonly name: string;
  readonly owner: string | null;
}

interface ShownLabs {
  shownLabs(labs: readonly Lab[], words: string, order: string): readonly Lab[];
}

/** Loads a module whose types these tests do not have. */
const load = (name: string) => import(`../../../../page/src/labs/${name}.ts`);
const { shownLabs }: ShownLabs = await load("shown-labs");

const LABS = [
  { name: "Lab 10", owner: "ann" },
  { name: "Branch office", owner: null },
  { name: "lab 2", owner: "bob" },
];
const names = (words: string, order: string) => shownLabs(LABS, words, order).map(({ name }) => name);

test("orders labs by age, and by names with their numbers", () => {
  expect(names("", "newest")).toEqual(["lab 2", "Branch office", "Lab 10"]);
  expect(names("", "oldest")).toEqual(["Lab 10", "Branch office", "lab 2"]);
  expect(names("", "name")).toEqual(["Branch office", "lab 2", "Lab 10"]);
});

test("finds labs that have all words in their names or owners, in any case", () => {
  expect(names("LAB", "name")).toEqual(["lab 2", "Lab 10"]);
  expect(names(" ann  lab ", "name")).toEqual(["Lab 10"]);
  expect(names("null", "name")).toEqual([]);
});
