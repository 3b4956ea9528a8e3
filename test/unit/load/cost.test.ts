/** The parts of docs/cost.md that are computed from list prices, and that the page has what the stack runs by itself. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { connectingOf, edgeOf, followingOf, sendingOf, sum } from "../../bench/cost/bill.ts";
import { busyDay } from "../../bench/cost/busy-day.ts";
import { dollars } from "../../bench/cost/page.ts";

const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8");
const PAGE = read("docs/cost.md");

describe("the price of", () => {
  test("1,000 events for a follower is that of the messages, of the publisher's time, and of two writes and two reads each", () => {
    expect(sum(sendingOf(1000))).toBeCloseTo(0.001 + 10 * 0.0000133334 + 0.00125 + 0.00025, 9);
  });

  test("a follower's connection has that of the publisher, and of the two functions that it calls", () => {
    const { Lambda, DynamoDB } = connectingOf(1000);
    const gbSeconds = 1000 * (3 * 1.73 * 0.05 + 0.5 * 0.02 + 0.25 * 0.05);
    expect(Lambda).toBeCloseTo(5 * 0.0002 + gbSeconds * 0.0000133334, 9);
    expect(DynamoDB).toBeCloseTo(8 * 0.000625 + 8 * 0.000125, 9);
  });

  test("an hour of following is that of the connection, or of a function that polls", () => {
    const { socket, stream } = followingOf(0.25, 300);
    expect(sum(socket)).toBeCloseTo(0.000015, 9);
    expect(stream["API Gateway"]).toBeCloseTo(12 * 0.0000035, 9);
    expect(stream.Lambda).toBeCloseTo(12 * 0.0000002 + 900 * 0.0000133334, 9);
    expect(stream.DynamoDB).toBeCloseTo(3600 * 0.000000125, 9);
  });

  test("CloudFront is that of requests, calls of its function, and bytes", () => {
    expect(Object.values(edgeOf(1_000_000, 1e9))).toEqual(
      [1, 0.1, 0.085].map((price) => expect.closeTo(price, 9)),
    );
  });
});

describe("docs/cost.md", () => {
  test.each([
    ["events over a WebSocket", sendingOf(1000)],
    ["followers who come and go", connectingOf(1000)],
    ["CloudFront", edgeOf(1000, 1_000_000)],
  ])("has the price of %s", (_what, bill) => {
    expect(PAGE).toContain(`| **together** | **${dollars(sum(bill))}** |`);
  });

  test.each([
    "pings to WebSockets, every 4 minutes",
    "publisher, after each call",
    "publisher, after each request",
  ])("has a row for: %s", (row) => expect(PAGE).toContain(`| ${row} | $`));

  test("has the price of a million pings, which is below $20 for a pair of PCs, and at most 100 write units in large labs", () => {
    const rows = [...PAGE.matchAll(/^\| ([\d,]+) \| ping[^|]* \| ([\d.]+) \|.*\| \$([\d.]+) \|$/gm)];
    expect(rows.map(([, pcs]) => pcs)).toEqual(["2", "30", "300", "1,000"].flatMap((pcs) => [pcs, pcs]));
    for (const [, pcs, units, price] of rows) {
      expect(Number(units), pcs).toBeLessThanOrEqual(100);
      if (pcs === "2") expect(Number(price)).toBeLessThan(20);
    }
  });

  test("has the price of an idle stack that the README names", () => {
    const [, price] = /costs \*\*(\$[\d.]+)\*\*/.exec(PAGE)!;
    expect(read("README.md")).toContain(`costs ${price} a month`);
  });
});

test("a busy day of 10,000 users costs less than $50, and would cost ten times as much with passwords and streams", () => {
  const none = { requests: 0, invocations: 0, gbSeconds: 0, readUnits: 0, writeUnits: 0, puts: 0, gets: 0 };
  const usage = { ...none, logBytes: 0, sentBytes: 0 };
  // As docs/cost.md has them, for one of 1,000 console calls.
  const run = {
    ...{ requests: 1, invocations: 1, gbSeconds: 0.0869, readUnits: 6, writeUnits: 13.5, puts: 0, gets: 0 },
    ...{ logBytes: 1_812, sentBytes: 1_067 },
  };
  const { now, before } = busyDay({
    run,
    published: { ...usage, invocations: 1, gbSeconds: 0.009, writeUnits: 6.4 },
    signIn: { ...usage, invocations: 1, gbSeconds: 0.31 * 1.73, readUnits: 3, writeUnits: 2 },
    tokenCheck: { ...usage, invocations: 1, gbSeconds: 0.01 * 1.73, readUnits: 1 },
    memoryGb: 0.25,
    timeoutSeconds: 300,
  });
  expect(sum(now)).toBeLessThan(50);
  expect(sum(before)).toBeGreaterThan(400);
});
