/** One clock ends playing and judging; and what a run that ended early has decided. */
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { runLab } from "@wirelab/lab/run-lab";
import { describe, expect, test } from "vitest";
import { parse, report, yaml } from "./helpers.ts";

const pcs = (count: number): string =>
  `nodes:\n  s: {type: switch, ports: 100}\n${Array.from({ length: count }, (_, index) => `  p${index}: 10.0.0.${index + 1}/24\n`).join("")}links:\n${Array.from({ length: count }, (_, index) => `  - p${index} -- s\n`).join("")}`;

describe("the clock", () => {
  test("ends an expectation of many pairs at the first that has no time, and all later expectations", () => {
    const model = parseLabFile(`${pcs(40)}expect:\n${"  - reach: all\n".repeat(20)}`, { name: "x" });
    let reads = 0;
    const played = runLab(model, { isOutOfTime: () => ++reads > 100 });
    expect(played).toMatchObject({ status: "undecided", limit: "cpu_seconds" });
    expect(played.verdicts).toHaveLength(20);
    for (const { status, got, evidence } of played.verdicts) {
      expect(status).toBe("undecided");
      expect(got).toContain("the run reached its limit of cpu_seconds");
      expect(evidence?.packets ?? []).toEqual([]);
    }
    // It is not asked again once it is over.
    expect(reads).toBe(101);
  });

  test("ends the copies of states for the moments of expectations", () => {
    const moments = Array.from({ length: 400 }, (_, index) => `  - {arp: p0, has: p1, at: ${index}ms}\n`);
    const model = parseLabFile(`${pcs(40)}expect:\n${moments.join("")}`, { name: "x" });
    let reads = 0;
    const played = runLab(model, { isOutOfTime: () => ++reads > 50 });
    const undecided = played.verdicts.filter(({ status }) => status === "undecided");
    expect(undecided).toHaveLength(400);
    expect(played.limit).toBe("cpu_seconds");
  });

  test("that is over while the packet of a path is under way leaves the path undecided", () => {
    const model = parse(
      "{nodes: {a: 10.0.0.1/24, b: 10.0.0.2/24}, links: [a -- b], expect: [{path: a -> b, hops: 0}]}",
    );
    let reads = 0;
    // Judging reads it once, then the ping of the path.
    const judged = runLab(model, { isOutOfTime: () => ++reads > 1 });
    expect(judged.verdicts).toMatchObject([{ status: "undecided" }]);
  });
});

describe("a storm", () => {
  const LATE = yaml(`
    nodes: {p1: 10.0.0.1/24, p2: 10.0.0.2/24, s1: switch, s2: switch}
    links: [p1 -- s1, p2 -- s2, {link: s1 -- s2, name: one}, {link: s1 -- s2, name: two, down: true}]
    limits: {packets: 30000}
    run:
      - {at: 1s, console: {p1: ping 10.0.0.2 -c 1}}
      - {at: 10s, name: plugged, up: two}
      - {at: 10.1s, console: {p1: ["clear arp", ping 10.0.0.2 -c 1]}}
`);
  const verdicts = (expectations: readonly string[]) =>
    report(`${LATE}expect: [${expectations.map((each) => `{${each}}`)}]`).verdicts.map(
      ({ status }) => status,
    );

  test("leaves decided what lies before it", () => {
    expect(
      verdicts([
        "reach: p1 -> p2, at: 1s, tries: 1",
        "ping: p1 -> p2, at: 5s",
        "path: p1 -> p2, at: 5s, hops: 0",
        "arp: p1, has: p2, at: 2s",
        "mac: s1, has: p1, at: 2s",
        "arp: p2, has: 10.0.0.9, at: 2s",
        "console: p1, contains: icmp_seq=1, at: 3s",
        "console: p1, contains: icmp_seq=1, after: plugged, within: 50ms",
      ]),
    ).toEqual(["passed", "passed", "passed", "passed", "passed", "failed", "passed", "passed"]);
  });

  test("leaves undecided what lies after it, and figures of the whole run", () => {
    expect(
      verdicts([
        "reach: p1 -> p2, at: 20s",
        "reach: p1 -> p2",
        "arp: p1, has: p2",
        "console: p1, contains: icmp_seq=1",
        "console: p1, contains: icmp_seq=1, at: 15s",
        "budget: lab, packets: '> 5'",
      ]),
    ).toEqual(Array(6).fill("undecided"));
  });

  test("is named although the run ends before a limit", () => {
    const {
      limit,
      loop,
      verdicts: all,
    } = report(`${LATE.replace("limits: {packets: 30000}", "duration: 10.105s")}expect: [{no loop: }]\n`);
    expect(limit).toBeUndefined();
    expect(loop?.toSorted()).toEqual(["s1", "s2"]);
    expect(all).toMatchObject([{ status: "failed", got: expect.stringContaining("packets loop through") }]);
  });
});
