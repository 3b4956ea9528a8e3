/** Impairments of the links in lab files. */
import { describe, expect, test } from "vitest";
import { parse, problemsIn, verdicts } from "./helpers.ts";

const pair = (impairments: string, run = "[]") => `
  nodes: {pc1: 10.0.0.1/24, pc2: 10.0.0.2/24}
  links: [{link: pc1 -- pc2, name: wire, impairments: ${impairments}}]
  run: ${run}
`;
const statuses = (topology: string, expectations: string) =>
  verdicts(topology, expectations).map(({ status, got }) => `${status}: ${got}`);

describe("impairments of a link", () => {
  test("act in their direction, beside the filters", () => {
    const lab = pair("{a_to_b: {delay: 20ms}, b_to_a: {delay: 2.5ms}}").replace(
      "name:",
      "filters: {delay: 1}, name:",
    );
    expect(
      statuses(lab, "- {ping: pc1 -> pc2, count: 3, min: 24.5ms..24.8ms, max: 24.5ms..24.8ms}").join(),
    ).toMatch(/^passed/);
  });

  test("are counted by their names", () => {
    const [lost, seen] = verdicts(
      pair("{a_to_b: {loss: {listed: [8]}}}", "[{at: 1s, console: {pc1: ping 10.0.0.2 -c 9}}]"),
      `
        - {filter: wire, type: loss.listed, dropped: 1}
        - {filter: wire, type: loss.listed, seen: "> 8"}
      `,
    );
    expect([lost!.status, seen!.status]).toEqual(["passed", "passed"]);
  });

  test("have a schedule that begins with the timeline, and that probes continue", () => {
    const lab = pair(
      "{both: {delay: 10ms}, schedule: [{at: 5s, set: {both: {delay: 30ms}}}]}",
      "[{at: 1s, console: {pc1: show}}]",
    );
    expect(
      statuses(
        `${lab}\n  duration: 20s`,
        `
          - {ping: pc1 -> pc2, at: 1s, count: 1, max: 20ms..20.5ms}
          - {ping: pc1 -> pc2, at: 10s, count: 1, max: 60ms..60.5ms}
        `,
      ).map((each) => each.split(":")[0]),
    ).toEqual(["passed", "passed"]);
  });

  test("change at an event, and end at one", () => {
    const lab = pair(
      "{both: {delay: 10ms}}",
      "[{at: 5s, impairments: {wire: {both: {broken: true}}}}, {at: 9s, impairments: {wire: null}}]",
    );
    expect(
      statuses(
        lab,
        `
          - {ping: pc1 -> pc2, at: 2s, count: 1, max: 20ms..20.5ms}
          - {not: true, reach: pc1 -> pc2, at: 6s, tries: 1}
          - {ping: pc1 -> pc2, at: 10s, count: 1, max: "< 1ms"}
        `,
      ).map((each) => each.split(":")[0]),
    ).toEqual(["passed", "passed", "passed"]);
  });

  test("have an MTU that a PC sees", () => {
    const lines = "[{at: 1s, console: {pc1: ping 10.0.0.2 -D -l 1400 -c 2}}]";
    const expectation = (text: string) => `- {console: pc1, contains: "${text}"}`;
    const refused = expectation("not sent: -D forbids fragments, the path MTU is 1300");
    expect(statuses(pair("{both: {mtu: {bytes: 1300, larger: icmp}}}", lines), refused).join()).toMatch(
      /^passed/,
    );
    expect(statuses(pair("{both: {mtu: 1300}}", lines), expectation("icmp_seq=2 timeout")).join()).toMatch(
      /^passed/,
    );
  });

  test("can be a preset by its name", () => {
    expect(parse(pair("lte")).links[0]!.impairments).toMatchObject({ settings: { preset: "lte" } });
  });

  test.each([
    ["{both: {delay: soon}}", "links[0].impairments.both.delay"],
    ["{up: {}}", "links[0].impairments.up"],
    ["ltee", "links[0].impairments"],
    ["{a_to_b: {drop: 'tcp prot 80'}}", "links[0].impairments.a_to_b.drop"],
  ])("are checked: %s", (impairments, path) => {
    expect(problemsIn(pair(impairments)).join()).toContain(path);
  });

  test("of an event are checked, and name their link", () => {
    expect(problemsIn(pair("{}", "[{impairments: {wire: {both: {rate: fast}}}}]")).join()).toContain(
      "run[0].impairments.wire.both.rate",
    );
    expect(problemsIn(pair("{}", "[{impairments: {wires: {}}}]")).join()).toContain('"wire"');
  });
});
