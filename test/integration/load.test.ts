/**
 * A small run of `npm run bench:load`: each connection uses each route, a twentieth of the calls to DynamoDB is cut off, and
 * the SDK does not retry, so that clients have to.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { GROUPS } from "../../functions/routes.ts";
import { type LoadResult, runLoad } from "../bench/load/run-load.ts";
import type { Sample } from "../bench/load/tally.ts";

let load: LoadResult;

/** Routes whose response is sent while it is read: after its first bytes, only the end of the connection reports a fault. */
const STREAMED = new Set(
  GROUPS.flatMap(({ routes }) => Object.entries(routes))
    .filter(([, { responses }]) => responses[200]?.contentType)
    .map(([name]) => name),
);

const mayBeRetried = ({ route, status, failure }: Sample): boolean =>
  status === 503 || (STREAMED.has(route) && failure?.startsWith("Error: aborted") === true);

beforeAll(async () => {
  const environment = { AWS_MAX_ATTEMPTS: "1" };
  load = await runLoad({ connections: 4, rounds: 1, drop: 0.05, seed: 7, environment });
}, 400_000);

describe("a load while calls to the table are cut off", () => {
  test("uses every route", () => {
    expect(load.missing).toEqual([]);
    expect(load.tally.samples.length).toBeGreaterThan(200);
  });

  test("gets only errors that a client may retry", () => {
    expect(load.dropped).toBeGreaterThan(0);
    const faults = load.tally.samples.filter(({ status }) => status === 0 || status >= 500);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.filter((fault) => !mayBeRetried(fault))).toEqual([]);
  });

  test("gets no wrong response", () => {
    expect(load.tally.wrong.join("\n")).toBe("");
  });

  test("leaves no dangling reference", () => {
    expect(load.dangling).toEqual([]);
  });
});
