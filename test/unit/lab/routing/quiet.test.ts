/** A lab with OSPF has booted when routing is quiet. */
import { describe, expect, test } from "vitest";
import { problemsIn, report } from "../helpers.ts";
import { pair } from "./campus.ts";

const REACH = "expect: [{reach: pc1 -> pc2, at: 0s, tries: 1}]\n";

describe("a lab with OSPF has booted when routing is quiet", () => {
  test("after the election of a designated router, before events and expectations at 0 s", () => {
    const { status, bootSeconds, unsettled } = report(pair("", "", REACH));
    expect(status).toBe("passed");
    // The wait for a designated router is the dead interval of 40 s; then nothing changes for 40 s.
    expect(bootSeconds).toBeGreaterThan(80);
    expect(bootSeconds).toBeLessThan(130);
    expect(unsettled).toBeUndefined();
  });

  test("although the first hellos are lost: the next ones are background timers", () => {
    const lossy = pair("network: point-to-point", undefined, REACH).replace(
      "name: middle",
      "name: middle, impairments: {both: {loss: {listed: [1-3]}}}",
    );
    const { status, bootSeconds } = report(lossy);
    expect(status).toBe("passed");
    expect(bootSeconds).toBeGreaterThan(30 + 40);
    expect(bootSeconds).toBeLessThan(30 + 40 + 10);
  });

  test("without an adjacency if there is none", () => {
    const apart = pair("network: point-to-point", undefined, REACH.replace("reach:", "not reach:")).replace(
      "name: middle",
      "name: middle, filters: {frequency_drop: -1}",
    );
    const { status, bootSeconds } = report(apart);
    expect(status).toBe("passed");
    expect(bootSeconds).toBeCloseTo(40, 0);
  });

  test("after the time that the file sets", () => {
    const one = report(pair("network: point-to-point", undefined, REACH)).bootSeconds;
    const other = report(
      `${pair("network: point-to-point", undefined, REACH)}routing: {quiet: 100s}\n`,
    ).bootSeconds;
    expect(other - one).toBeCloseTo(60, 6);
  });

  test("or after a limit, which the report names with the last change", () => {
    // Every hello of one end is lost for longer than its dead interval, again and again.
    const flapping = pair(
      "network: point-to-point, hello_seconds: 1, dead_seconds: 2",
      undefined,
      "routing: {limit: 100s}\nduration: 1s\n",
    ).replace("name: middle", "name: middle, impairments: {both: {loss: 70%}}");
    const { unsettled, bootSeconds } = report(flapping);
    expect(bootSeconds).toBeCloseTo(100, 0);
    expect(unsettled).toMatch(
      /^while the lab booted, routing was not quiet after 100 s: at [\d.]+ s, r[12]: /,
    );
  });

  test("and ends without a duration when routing is quiet after the last event", () => {
    const { labSeconds, status } = report(
      pair(
        "network: point-to-point",
        undefined,
        "run: [{at: 5s, down: middle}]\nexpect: [{route: r1, to: 10.2.0.0/24, at: 6s}, {not route: r1, to: 10.2.0.0/24}]\n",
      ),
    );
    expect(status).toBe("passed");
    // The dead interval, and 40 s of quiet.
    expect(labSeconds).toBeGreaterThan(5 + 30 + 40);
    expect(labSeconds).toBeLessThan(5 + 40 + 40 + 10);
  });
});

test("a lab without a routing protocol ends as before when nothing is left to happen", () => {
  const text = "nodes: {pc1: 10.0.0.1/24, pc2: 10.0.0.2/24}\nlinks: [pc1 -- pc2]\n";
  expect(report(text).bootSeconds).toBe(report(`${text}routing: {quiet: 500s}\n`).bootSeconds);
});

test("a time that is none is refused with its place", () => {
  expect(problemsIn("nodes: {pc1: 10.0.0.1/24}\nrouting: {quiet: soon}\n")).toEqual([
    expect.stringContaining("routing.quiet"),
  ]);
});
