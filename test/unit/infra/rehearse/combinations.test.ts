/** The combinations have every value of every setting, and every pair of them. */
import { expect, test } from "vitest";
import { combinations, describeCombination, valuesOf } from "../../../../infra/rehearse/combinations.ts";
import { coverPairs } from "../../../../infra/rehearse/pairs.ts";
import { SETTINGS } from "../../../../infra/settings.ts";

const ALL = combinations();
const KEYS = (Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]).filter(
  (key) => !key.startsWith("concurrency_"),
);

test("every setting has values, and the combinations have each", () => {
  const missing = KEYS.flatMap((key) =>
    valuesOf(key)
      .filter((value) => SETTINGS[key].kind.accepts(value))
      // The default of a setting is that of a combination without it.
      .filter((value) => SETTINGS[key].stated !== undefined || value !== String(SETTINGS[key].default))
      .filter((value) => !ALL.some((combination) => combination[key] === value))
      .map((value) => `${key}=${value}`),
  );
  expect(missing).toEqual([]);
  expect(ALL.some((combination) => "concurrency_runs" in combination)).toBe(true);
});

test("the combinations have what the stack refuses in none, and both lifetimes with everything", () => {
  expect(ALL.filter(({ auth, ephemeral }) => auth === "none" && ephemeral !== "true")).toEqual([]);
  const whole = ALL.filter((each) => Object.keys(each).length > KEYS.length);
  expect(whole.map(({ ephemeral }) => ephemeral)).toEqual(expect.arrayContaining(["true", "false"]));
  expect(describeCombination({})).toBe("no settings");
});

test("pairs are covered by few rows, without those that are refused", () => {
  const factor = (name: string) => [{}, { [name]: "1" }, { [name]: "2" }];
  const rows = coverPairs(["a", "b", "c", "d"].map(factor), ({ a, b }) => a === "1" && b === "1");
  const has = (one: string, other: string, value: string | undefined, otherValue: string | undefined) =>
    rows.some((row) => row[one] === value && row[other] === otherValue);
  const missing = ["a", "b", "c", "d"].flatMap((one, index, all) =>
    all
      .slice(index + 1)
      .flatMap((other) =>
        [undefined, "1", "2"].flatMap((value) =>
          [undefined, "1", "2"].flatMap((otherValue) =>
            has(one, other, value, otherValue) ? [] : [`${one}=${value} ${other}=${otherValue}`],
          ),
        ),
      ),
  );
  expect(missing).toEqual(["a=1 b=1"]);
  expect(rows.length).toBeLessThan(20);
});
