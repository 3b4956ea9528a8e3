import type { LabModel } from "@wirelab/lab/model/lab-model";
import { formatTimeline } from "@wirelab/lab/shrink/format-timeline";
import { shrink } from "@wirelab/lab/shrink/shrink";
import type { Failure } from "@wirelab/lab/sweep/failures";
import { describe, expect, test } from "vitest";
import { parse } from "../helpers.ts";

const TOPOLOGY = `
  nodes:
    pc1: 10.0.0.1/24
    pc2: 10.0.0.2/24
    sw1: switch
  links:
    - {link: pc1 -- sw1, name: near}
    - {link: pc2 -- sw1, name: far}
`;
const lab = (rest: string): LabModel => parse(`${TOPOLOGY}${rest}`);
const timeline = (
  model: LabModel,
  failures: readonly Failure[] = [],
  passing?: { seed: string; failures: [] },
) => {
  const shrunk = shrink({ model, seed: "1", failures, passing })!;
  return formatTimeline(shrunk, "1").split("\n");
};

describe("shrink", () => {
  test("leaves the events and commands that the failure needs, close together", () => {
    const model = lab(`
  run:
    - {at: 3s, name: busy, console: {pc1: [show ip, ping 10.0.0.2 -c 1, show arp]}, down: near}
    - {at: 5s, up: near}
    - {at: 20s, console: {pc2: [show ip, "ip 10.0.0.3/24"]}}
    - {at: 40s, filters: {far: {delay: 5ms}}}
    - {at: 50s, filters: {far: null}}
  expect:
    - {name: there, reach: pc1 -> 10.0.0.2, at: 60s}
`);
    // While the command looks for others with the new address, the PC does not answer at the old one.
    expect(timeline(model)).toEqual([
      'seed: "1"',
      "run:",
      "  - {at: 0s, console: {pc2: ip 10.0.0.3/24}}",
      '# "there" is judged at 0s',
      "",
    ]);
  });

  test("leaves the fewest failures of links and nodes", () => {
    const model = lab(`
  expect:
    - {name: there, reach: pc1 -> pc2}
`);
    const failures: Failure[] = [
      { kind: "node", name: "pc1" },
      { kind: "link", name: "far" },
    ];
    expect(shrink({ model, seed: "1", failures })!.failures).toHaveLength(1);
    expect(timeline(model, failures)).toContain("  - {at: 0s, down: far}");
  });

  test("keeps what makes the passing case pass", () => {
    const model = lab(`
  run:
    - {at: 1s, down: far}
    - {at: 2s, up: far}
    - {at: 3s, console: {pc1: ping 10.0.0.2 -c 1}}
  expect:
    - {name: answered, seen: "icmp[0]=0", link: far, until: 10s}
`);
    const failures: Failure[] = [{ kind: "link", name: "far" }];
    const alone = shrink({ model, seed: "1", failures })!;
    expect(alone.model.events).toEqual([]);
    const beside = timeline(model, failures, { seed: "1", failures: [] });
    expect(beside).toContain("  - {at: 0s, console: {pc1: ping 10.0.0.2 -c 1}}");
    expect(beside.at(-2)).toMatch(/^# "answered" is judged at the end, on packets from 0s until /);
  });

  test("ends at the number of runs, with what has failed so far", () => {
    const model = lab(`
  run:
    - {at: 1s, console: {pc1: [show ip, show arp]}}
    - {at: 2s, filters: {far: {delay: 5ms, packet_loss: 10}}}
    - {at: 3s, filters: {far: null}}
    - {at: 4s, down: near}
  expect:
    - reach: pc1 -> pc2
`);
    const { runs, model: smaller } = shrink({ model, seed: "1", failures: [], maxRuns: 3 })!;
    expect(runs).toBe(3);
    expect(smaller.events).toHaveLength(2);
    expect(formatTimeline({ model, failures: [], runs }, "1")).toContain(
      [
        "  - {at: 1s, console: {pc1: [show ip, show arp]}}",
        "  - {at: 2s, filters: {far: {packet_loss: [10], delay: [5]}}}",
        "  - {at: 3s, filters: {far: null}}",
        "  - {at: 4s, down: near}",
      ].join("\n"),
    );
  });

  test("returns nothing for a case that passes", () => {
    const model = lab(`
  expect:
    - reach: pc1 -> pc2
`);
    expect(shrink({ model, seed: "1", failures: [] })).toBeUndefined();
  });

  test("shortens the duration with the timeline", () => {
    const model = lab(`
  duration: 90s
  run:
    - {at: 60s, down: near}
  expect:
    - reach: pc1 -> pc2
`);
    expect(timeline(model).slice(0, 4)).toEqual([
      'seed: "1"',
      "duration: 0s",
      "run:",
      "  - {at: 0s, down: near}",
    ]);
  });
});
