/** docs/devices/router-firewall.md states the limits and the commands that the router has. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  MAX_LISTS,
  MAX_RULE_NUMBER,
  MAX_RULES,
} from "../../packages/engine/devices/router/services/base/numbered-rules.ts";
import { MAX_LOG_LINES } from "../../packages/engine/devices/router/services/firewall/access-lists.ts";
import { CONNECTION_LIMITS } from "../../packages/engine/devices/router/services/firewall/connection-limits.ts";
import { RULE_USAGE } from "../../packages/engine/devices/router/services/firewall/parse-rule.ts";
import { PACKET_STATES } from "../../packages/engine/devices/router/services/firewall/rule.ts";
import { NAT_USAGES } from "../../packages/engine/devices/router/services/nat/edit-nat.ts";
import {
  MAX_FORWARD_RULES,
  MAX_POOL_ADDRESSES,
  MAX_SOURCE_RULES,
  MAX_STATIC_RULES,
} from "../../packages/engine/devices/router/services/nat/settings.ts";

const PAGE = readFileSync(new URL("../../docs/devices/router-firewall.md", import.meta.url), "utf8");

test.each(Object.entries(CONNECTION_LIMITS))("%s has its bounds and its default on the page", (key, row) => {
  const { minimum, maximum } = row.kind.schema();
  expect(PAGE).toContain(`| \`${key}\` | ${minimum} to ${maximum} | ${row.usual} |`);
});

test.each(NAT_USAGES)("`%s` is on the page", (usage) => {
  expect(PAGE.replaceAll("\\|", "|")).toContain(`\`${usage}\``);
});

test("rules, their states and the numbers of lists and rules are on the page", () => {
  expect(PAGE).toContain(`\n${RULE_USAGE}\n`);
  for (const state of PACKET_STATES) expect(PAGE).toContain(`| \`${state}\` |`);
  expect(PAGE).toContain(`${MAX_LISTS} lists with ${MAX_RULES} rules together`);
  expect(PAGE).toContain(`| 1 to ${MAX_RULE_NUMBER}, growing`);
  expect(PAGE).toContain(`the last ${MAX_LOG_LINES} lines`);
  expect(PAGE).toContain(
    `${MAX_SOURCE_RULES} rules of \`source\`, ${MAX_STATIC_RULES} of \`static\` and ${MAX_FORWARD_RULES} of \`forward\``,
  );
  expect(PAGE).toContain(`of ${MAX_POOL_ADDRESSES} at most`);
});
