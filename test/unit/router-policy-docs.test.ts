/** docs/devices/router-policy.md states the limits and the rule that the router has. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { usageOf } from "../../packages/engine/devices/console/command.ts";
import {
  MAX_LISTS,
  MAX_RULE_NUMBER,
  MAX_RULES,
} from "../../packages/engine/devices/router/services/base/numbered-rules.ts";
import { POLICY_COMMANDS } from "../../packages/engine/devices/router/services/policy/commands.ts";
import { PBR_RULE_USAGE } from "../../packages/engine/devices/router/services/policy/parse-pbr-rule.ts";
import { MAX_NEXT_HOPS } from "../../packages/engine/devices/router/services/policy/policy-spec.ts";
import { SWITCHING_COMMANDS } from "../../packages/engine/devices/router/services/switching/commands.ts";

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
