/** `rib`: the routes of a router that forward its packets. */
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { runLab } from "@wirelab/lab/run-lab";
import { describe, expect, test } from "vitest";
import { guestsWithAnswers } from "../../../helpers/engine/script-node.ts";
import { problemsIn, report } from "../helpers.ts";
import { pair } from "./campus.ts";

const judged = (expectation: string, events = "") =>
  report(`${pair("network: point-to-point", undefined, events)}expect: [{${expectation}}]\n`).verdicts[0]!;

describe("the routes of a simulated router", () => {
  test.each([
    ["rib: r1, routes: {10.2.0.0/24: 10.0.12.2}"],
    ["rib: r1, routes: {10.2.0.0/24: [10.0.12.2], 10.1.0.0/24: connected}"],
    ["rib: r1, routes: {10.2.0.0/24: {protocol: ospf, distance: 110, metric: 20, via: 10.0.12.2}}"],
    ["rib: r1, routes: {10.2.0.0/24: {metric: 10..30}}"],
    ["rib: r1, protocol: ospf, only: true, routes: {10.2.0.0/24: 10.0.12.2}"],
    ["rib: r1, only: true, routes: {10.2.0.0/24: {}, 10.1.0.0/24: connected, 10.0.12.0/24: connected}"],
    ["rib: r1, protocol: rip, only: true, routes: {}"],
    ["not rib: r1, routes: {10.9.0.0/24: {}}"],
  ])("%s", (expectation) => {
    expect(judged(expectation)).toMatchObject({ status: "passed" });
  });

  test.each([
    [
      "rib: r1, routes: {10.2.0.0/24: 10.0.12.9}",
      "10.2.0.0/24 via 10.0.12.2 by ospf, distance 110, metric 20",
    ],
    [
      "rib: r1, routes: {10.2.0.0/24: {metric: 30}}",
      "10.2.0.0/24 via 10.0.12.2 by ospf, distance 110, metric 20",
    ],
    [
      "rib: r1, routes: {10.2.0.0/24: {distance: '> 110'}}",
      "10.2.0.0/24 via 10.0.12.2 by ospf, distance 110, metric 20",
    ],
    [
      "rib: r1, routes: {10.2.0.0/24: {protocol: static}}",
      "10.2.0.0/24 via 10.0.12.2 by ospf, distance 110, metric 20",
    ],
    ["rib: r1, routes: {10.2.0.0/25: {}}", "10.2.0.0/25: no route"],
    ["rib: r1, protocol: static, routes: {10.2.0.0/24: {}}", "10.2.0.0/24: no route of static"],
    [
      "rib: r1, only: true, protocol: connected, routes: {10.1.0.0/24: {}}",
      "also 10.0.12.0/24 connected by connected, distance 0, metric 0",
    ],
  ])("fails: %s", (expectation, got) => {
    expect(judged(expectation)).toMatchObject({ status: "failed", got });
  });

  test("at a moment, and at the end of a time", () => {
    const events = "run: [{at: 10s, down: middle, name: cut}]\n";
    const via = "rib: r1, routes: {10.2.0.0/24: 10.0.12.2}";
    expect(judged(`${via}, at: 9s`, events).status).toBe("passed");
    expect(judged(`${via}, after: cut, within: 1s`, events).status).toBe("passed");
    expect(judged(`${via}, after: cut, within: 41s`, events).got).toBe("10.2.0.0/24: no route");
  });

  test("of a port whose carrier is gone", () => {
    const events = "run: [{at: 10s, impairments: {middle: {carrier: down}}}]\nduration: 20s\n";
    expect(judged("rib: r1, only: true, routes: {10.1.0.0/24: connected}", events).status).toBe("passed");
  });
});

test("what cannot be read is refused with its place", () => {
  const refused = (expectation: string, nodes = "") =>
    problemsIn(`${pair().replace("nodes:\n", `nodes:\n${nodes}`)}expect: [{${expectation}}]\n`).join("\n");
  expect(refused("rib: pc1, routes: {10.0.0.0/8: {}}")).toContain("must be a router or a Linux node");
  expect(refused("rib: r1, routes: {}")).toContain("names no route.");
  expect(refused("rib: r1, routes: {10.0.0.1: {}}")).toContain("must be a network with prefix length");
  expect(refused("rib: r1, routes: {10.0.0.0/8: {via: 10.0.0.1, cost: 3}}")).toContain("cost");
});

const linux = (path: string, answer: string, expectation: string) =>
  parseLabFile(
    `nodes: {g: {type: linux, image: frr, ports: 1, files: {${path}: ""}}, pc: 10.0.0.1/24}
links: [g -- pc]
duration: 5s
expect: [{${expectation}}]
`,
    {
      name: "guest",
      guests: guestsWithAnswers((_, question) => (question === "frr routes" ? answer : "{}")),
    },
  );

describe("the routes of a guest with FRR", () => {
  const routes = JSON.stringify({
    "10.2.0.0/24": [
      {
        prefix: "10.2.0.0/24",
        protocol: "ospf",
        selected: true,
        distance: 110,
        metric: 20,
        nexthops: [{ fib: true, ip: "10.0.12.2", interfaceName: "eth1", active: true }],
      },
      { prefix: "10.2.0.0/24", protocol: "static", distance: 200, metric: 0, nexthops: [] },
    ],
    "10.0.12.0/24": [
      {
        prefix: "10.0.12.0/24",
        protocol: "connected",
        selected: true,
        distance: 0,
        metric: 0,
        nexthops: [{ directlyConnected: true, interfaceName: "eth1", active: true }],
      },
    ],
  });

  test("are read as those of a simulated router", () => {
    const wanted = "{10.2.0.0/24: {via: 10.0.12.2, protocol: ospf, metric: 20}, 10.0.12.0/24: connected}";
    const right = linux("/etc/frr/frr.conf", routes, `rib: g, only: true, routes: ${wanted}`);
    expect(runLab(right).verdicts[0]).toMatchObject({ status: "passed" });
    const wrong = linux("/etc/frr/frr.conf", routes, "rib: g, routes: {10.2.0.0/24: 10.0.12.9}");
    expect(runLab(wrong).verdicts[0]).toMatchObject({
      status: "failed",
      got: "10.2.0.0/24 via 10.0.12.2 by ospf, distance 110, metric 20",
    });
  });

  test("are undecided when the reader does not understand them", () => {
    const odd = linux("/etc/frr/frr.conf", "% odd", "rib: g, routes: {10.2.0.0/24: {}}");
    expect(runLab(odd).verdicts[0]).toMatchObject({ status: "undecided" });
  });
});

test("the routes of BIRD are refused by name", () => {
  const text = `nodes: {g: {type: linux, image: bird, ports: 1, files: {/etc/bird/bird.conf: ""}}}
expect: [{rib: g, routes: {10.0.0.0/8: {}}}]
`;
  expect(() => parseLabFile(text, { name: "bird", guests: guestsWithAnswers(() => "") })).toThrow(
    /has BIRD, whose routes are not read/,
  );
});
