/** docs/cost.md counts the resources of the template, and the README has its figure of an idle month. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { downloadsOf, sum } from "../../bench/cost/bill.ts";
import { accessLineBytes, OPERATIONS, readStanding } from "../../bench/standing.ts";
import { templateOf } from "../../helpers/stack/stack.ts";

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const PAGE = read("docs/cost.md");
const IDLE = PAGE.split("## A month without requests\n")[1]!.split("\n## ")[0]!;

describe("resources that cost money without requests", () => {
  const plain = readStanding(templateOf());
  const watched = readStanding(templateOf({ alarms: "true", dashboard: "true" }));

  test("are none by default: neither secrets nor alarms nor a dashboard", () => {
    expect(plain).toEqual({ alarms: 0, dashboards: 0, dashboardMetrics: 0, secrets: 0 });
  });

  test("are on the page as in the template; `npm run cost` updates the page", () => {
    expect(IDLE).not.toContain("secret |");
    expect(IDLE).toContain(`\`-c alarms=true\`: ${watched.alarms} alarms |`);
    expect(IDLE).toContain(`\`-c dashboard=true\`: ${watched.dashboards} dashboard |`);
    expect(IDLE).toContain(`this one has ${watched.dashboardMetrics})`);
    expect(PAGE).toContain(`requests by route: ${OPERATIONS.size} metrics`);
  });

  test("cost less than ten cents a month by default, and the README has the figure", () => {
    const idle = Number(/\*\*together\*\* \| \*\*\$([\d.]+)\*\*/.exec(IDLE)?.[1]);
    expect(idle).toBeGreaterThan(0.02);
    expect(idle).toBeLessThan(0.1);
    expect(read("README.md")).toContain(`$${idle.toFixed(2)} a month`);
  });
});

describe("the cost page", () => {
  test("has downloads by clients, the cost of capture streams, and log lines by their source", () => {
    for (const heading of ["Logs, of these 1,000 requests", "A GB of packets, downloaded"])
      expect(PAGE).toContain(`## ${heading}\n`);
    expect(PAGE).toContain("## An hour of following a capture\n");
    expect(PAGE).toMatch(/\| egress \| \$0\.0\d+ \|/);
    expect(PAGE).toMatch(/\| sign-in, 60 times \| \$0\.\d+ \|/);
  });

  test("counts a streamed download as Lambda and API Gateway charge it", () => {
    const { bucket, streamed } = downloadsOf(200_000_000, 1);
    expect(sum(bucket)).toBeCloseTo(0.09, 4);
    // 5 responses: 970 MB after the first 6 MB of each, at 2 MB/s; 20 times 10 MB each.
    expect(streamed["Lambda, time"]).toBeCloseTo(485 * 0.0000133334, 8);
    expect(streamed["Lambda, bytes streamed"]).toBeCloseTo(0.97 * 0.008, 8);
    expect(streamed["API Gateway"]).toBeCloseTo(100 * 0.0000035, 8);
  });

  test("takes the access log's line from the template", () => {
    expect(accessLineBytes(templateOf())).toBeGreaterThan(400);
    expect(accessLineBytes(templateOf())).toBeLessThan(800);
  });
});
