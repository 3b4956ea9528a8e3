/** The parts of docs/cost.md that are computed from list prices, and that the page has what the stack runs by itself. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { edgeOf, followingOf, sendingOf, sum } from "../../bench/cost/bill.ts";
import { dollars } from "../../bench/cost/page.ts";

const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8");
const PAGE = read("docs/cost.md");

describe("the price of", () => {
  test("1,000 events for a follower is that of the messages and of two writes and two reads each", () => {
    expect(sum(sendingOf(1000))).toBeCloseTo(0.001 + 0.00125 + 0.00025, 9);
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
    ["CloudFront", edgeOf(1000, 1_000_000)],
  ])("has the price of %s", (_what, bill) => {
    expect(PAGE).toContain(`| **together** | **${dollars(sum(bill))}** |`);
  });

  test.each([
    "pings to WebSockets, every 4 minutes",
    "publisher, after each call",
    "publisher, after each request",
  ])("has a row for: %s", (row) => expect(PAGE).toContain(`| ${row} | $`));

  test("has the price of an idle stack that the README names", () => {
    const [, price] = /costs \*\*(\$[\d.]+)\*\*/.exec(PAGE)!;
    expect(read("README.md")).toContain(`costs ${price} a month`);
  });
});
