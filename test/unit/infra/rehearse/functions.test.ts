/** The quotas of functions that no schema has. */
import { expect, test } from "vitest";
import { checkFunctions } from "../../../../infra/rehearse/functions.ts";
import { functionOf, stackOf } from "./broken.ts";

const textsOf = (resources: object) => checkFunctions(stackOf(resources)).map(({ text }) => text);

test("finds an environment over 4 KB, with references as long as AWS makes them", () => {
  const variables = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`NAME_${index}`, { Ref: "Work" }]));
  const work = (count: number) => ({ Work: functionOf({ Environment: { Variables: variables(count) } }) });
  expect(textsOf(work(40))).toEqual([]);
  expect(textsOf(work(200)).join()).toMatch(/the environment has \d+ bytes, Lambda takes 4096/);
});

test("finds more memory than a new account gives a function", () => {
  expect(textsOf({ Work: functionOf({ MemorySize: 3008 }) })).toEqual([]);
  expect(textsOf({ Work: functionOf({ MemorySize: 3009 }) })).toEqual([
    "has 3009 MB, a new account gives a function 3008",
  ]);
});

test("finds more reserved executions than an account has", () => {
  const reserving = (ReservedConcurrentExecutions: number) => functionOf({ ReservedConcurrentExecutions });
  expect(textsOf({ One: reserving(450), Two: reserving(450) })).toEqual([]);
  expect(textsOf({ One: reserving(450), Two: reserving(451) }).join()).toContain("reserve 901 executions");
});
