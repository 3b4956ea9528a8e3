import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  count,
  countInto,
  embedMetrics,
  METRICS,
  type Measured,
} from "../../../../functions/shared/edge/metrics.ts";

describe("metrics in a line of the log", () => {
  test("name their numbers, units and dimensions, and leave out sets that are empty", () => {
    const line = embedMetrics(
      [
        { measured: { Requests: 1 }, by: { Route: "a.b" } },
        { measured: { CapturedBytes: 9 } },
        { measured: {} },
      ],
      1_700_000_000_000,
    );
    expect(line).toEqual({
      Route: "a.b",
      Requests: 1,
      CapturedBytes: 9,
      _aws: {
        Timestamp: 1_700_000_000_000,
        CloudWatchMetrics: [
          { Namespace: "Wirelab", Dimensions: [["Route"]], Metrics: [{ Name: "Requests", Unit: "Count" }] },
          { Namespace: "Wirelab", Dimensions: [[]], Metrics: [{ Name: "CapturedBytes", Unit: "Bytes" }] },
        ],
      },
    });
  });

  test("stay within the format's limit for one line", () => {
    expect(Object.keys(METRICS).length).toBeLessThanOrEqual(100);
  });
});

describe("counting", () => {
  test("adds up in the enclosing `countInto`, across awaits", async () => {
    const counts: Measured = {};
    await countInto(counts, async () => {
      count("Runs");
      await Promise.all([Promise.resolve().then(() => count("Packets", 2)), count("Packets", 3)]);
    });
    count("Runs");
    expect(counts).toEqual({ Runs: 1, Packets: 5 });
  });
});

test("every count in the code has a metric, and every metric has a count", () => {
  const files = [
    "functions/shared/run/run-lab.ts",
    "functions/shared/run/commit.ts",
    "functions/links/capture.ts",
    "functions/links/replay.ts",
    "functions/shared/store/base/bucket.ts",
    "functions/shared/store/lab/capture-file.ts",
    "functions/shared/store/base/table.ts",
    "functions/sweeper/sweep.ts",
    "functions/sweeper/sweep-project.ts",
    "functions/sweeper/orphans.ts",
    "functions/shared/edge/request-log.ts",
    "functions/publisher/batch.ts",
  ];
  const text = files
    .map((file) => readFileSync(new URL(`../../../../${file}`, import.meta.url), "utf8"))
    .join("\n");
  for (const name of Object.keys(METRICS)) expect(text).toMatch(new RegExp(`"${name}"|\\b${name}:`));
});
