import { afterEach, expect, test, vi } from "vitest";
import { interfaceVersion as announced } from "../../../functions/shared/edge/version.ts";
import { Settings } from "../../../infra/chosen-settings.ts";

const read = (interface_version?: string) =>
  new Settings({ interface_version }).variables(["interface_version"]);

afterEach(() => vi.unstubAllEnvs());

test.each(["2.2.54", "2.2.60.1", "2.2.60.dev1", "2.2.60.dev1+713dbb7f4"])("%s is announced", (version) => {
  for (const [name, value] of Object.entries(read(version))) vi.stubEnv(name, value);
  expect(announced()).toBe(version);
});

test("without a setting it is 2.2.60", () => {
  expect([read(), read("")]).toEqual([{}, {}]);
  expect(announced()).toBe("2.2.60");
});

test.each(["3.0.0", "2.1.21", "2.2", "2.2.x", "latest"])("%s is refused", (version) => {
  expect(() => read(version)).toThrow(
    `The context key interface_version is ${version}; it must be a version 2.2, such as 2.2.60`,
  );
});
