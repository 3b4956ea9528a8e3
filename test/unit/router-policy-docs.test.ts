/** docs/devices/router-policy.md states the limits and the rule that the router has. */
import { readFileSync } from "node:fs";
import { usageOf } from "@wirelab/engine/devices/console/command";
import {
  MAX_LISTS,
  MAX_RULE_NUMBER,
  MAX_RULES,
} from "@wirelab/engine/devices/router/services/base/numbered-rules";
import { POLICY_COMMANDS } from "@wirelab/engine/devices/router/services/policy/commands";
import { PBR_RULE_USAGE } from "@wirelab/engine/devices/router/services/policy/parse-pbr-rule";
import { MAX_NEXT_HOPS } from "@wirelab/engine/devices/router/services/policy/policy-spec";
import { SWITCHING_COMMANDS } from "@wirelab/engine/devices/router/services/switching/commands";
import { expect, test } from "vitest";

const read = (name: string): string =>
  readFileSync(new URL(`../../docs/devices/${name}.md`, import.meta.url), "utf8");

test("the rule and the limits of policy routing are on its page", () => {
  const page = read("router-policy");
  expect(page).toContain(`\n${PBR_RULE_USAGE}\n`);
  expect(page).toContain(`${MAX_LISTS} maps with ${MAX_RULES} rules together`);
  expect(page).toContain(`| \`seq\` | 1 to ${MAX_RULE_NUMBER}, growing`);
  expect(page).toContain(`${MAX_NEXT_HOPS} at most: the first that can be used`);
});

test.each([
  ["router-policy", POLICY_COMMANDS],
  ["router-switching", SWITCHING_COMMANDS],
])("the commands of %s are on its page", (page, commands) => {
  const text = read(page);
  for (const each of commands) {
    const command = usageOf(each).split(/ (?=[A-Z[(|]|vlanN)/)[0]!;
    expect(text).toContain(command);
  }
});
