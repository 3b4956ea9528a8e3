/** What docs/cost.md counts of the stack is what its template has. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { OPERATIONS, readStanding, type Standing } from "../../bench/standing.ts";
import { templateOf } from "../../helpers/stack.ts";

const PAGE = readFileSync(new URL("../../../docs/cost.md", import.meta.url), "utf8");

describe("what is paid for while nobody calls", () => {
  const standing: Standing = readStanding(templateOf());

  test("is on the page as the template has it; otherwise `npm run cost` makes it anew", () => {
    expect(PAGE).toContain(`| ${standing.alarms} alarms |`);
    expect(PAGE).toContain(`| ${standing.dashboards} dashboard |`);
    expect(PAGE).toContain(`this one has ${standing.dashboardMetrics})`);
    expect(PAGE).toContain(`| ${standing.secrets} secret |`);
    expect(PAGE).toContain(`requests by route: ${OPERATIONS.size} metrics`);
  });
});
