/** `rib` with attributes of BGP, and `best`: the chosen path, and why the others lost. */
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { runLab } from "@wirelab/lab/run-lab";
import { describe, expect, test } from "vitest";
import { guestsWithAnswers } from "../../../helpers/engine/script-node.ts";
import { problemsIn, report } from "../helpers.ts";
import { bgpPair, OPEN, TO_1, TO_2 } from "./bgp-pair.ts";

const LAB = bgpPair(`${OPEN}, ${TO_2}`, `${OPEN}, networks: [10.2.0.0/24], ${TO_1}`);
const judged = (claim: string, text = LAB) => report(`${text}expect: [{${claim}}]\n`).verdicts[0]!;
const SHOWN = "via 10.0.12.2, path 65002, origin igp, MED 0, weight 0";

describe("the attributes of a route", () => {
  test.each([
    "rib: r1, routes: {10.2.0.0/24: {as_path: 65002}}",
    'rib: r1, routes: {10.2.0.0/24: {via: 10.0.12.2, as_path: "65002", origin: igp, med: 0, weight: 0}}',
    "rib: r1, routes: {10.2.0.0/24: {communities: []}}",
    "not rib: r1, routes: {10.2.0.0/24: {local_preference: 100}}",
    "rib: r2, protocol: bgp, only: true, routes: {}",
    "best: r1, to: 10.2.0.0/24",
    "best: r1, to: 10.2.0.0/24, via: 10.0.12.2, as_path: 65002, origin: igp, weight: < 1",
    'best: r2, to: 10.2.0.0/24, via: local, as_path: ""',
    "not best: r1, to: 10.2.0.0/24, reason: Weight",
    "not best: r1, to: 10.9.0.0/24",
  ])("hold: %s", (claim) => {
    expect(judged(claim)).toMatchObject({ status: "passed" });
  });

  test.each([
    ["rib: r1, routes: {10.2.0.0/24: {as_path: 65003}}", `10.2.0.0/24 ${SHOWN}`],
    ["rib: r1, routes: {10.2.0.0/24: {weight: 5}}", `10.2.0.0/24 ${SHOWN}`],
    ["rib: r1, routes: {10.2.0.0/24: {communities: ['1:2']}}", `10.2.0.0/24 ${SHOWN}`],
    ["rib: r1, routes: {10.1.0.0/24: {as_path: 65003}}", "10.1.0.0/24: BGP has no best path"],
    ["best: r1, to: 10.2.0.0/24, via: 10.0.12.9", SHOWN],
    ["best: r1, to: 10.2.0.0/24, reason: MED", SHOWN],
    ["best: r1, to: 10.9.0.0/24", "no path is chosen, of 0"],
  ])("fail: %s", (claim, got) => {
    expect(judged(claim)).toMatchObject({ status: "failed", got });
  });

  test("are not there without BGP, or without power", () => {
    const without = LAB.replace(/ {4}bgp: \{as: 65002.*\n/, "");
    for (const claim of ["best: r2, to: 10.2.0.0/24", "rib: r2, routes: {10.2.0.0/24: {med: 1}}"])
      expect(judged(claim, without)).toMatchObject({ status: "failed", got: "r2 does not run BGP" });
    const off = `${LAB}run: [{at: 1s, stop: r1}]\n`;
    expect(judged("best: r1, to: 10.2.0.0/24", off)).toMatchObject({ status: "failed", got: "r1 is off" });
  });
});

test("the other paths have the step by which they lost", () => {
  const own = "    bgp: {as: 65001";
  const third = `  r3:
    type: router
    ports: [{ipv4: 10.0.13.3/24}, {ipv4: 10.0.23.3/24}]
    bgp: {as: 65003, ${OPEN}, neighbors: {10.0.13.1: {remote_as: 65001}, 10.0.23.2: {remote_as: 65002}}}
links: ["r1:2 -- r3:0", "r2:2 -- r3:1", `;
  const text = LAB.replace("{ipv4: 10.0.12.1/24}]", "{ipv4: 10.0.12.1/24}, {ipv4: 10.0.13.1/24}]")
    .replace("{ipv4: 10.0.12.2/24}]", "{ipv4: 10.0.12.2/24}, {ipv4: 10.0.23.2/24}]")
    .replace(
      `${own}, ${OPEN}, ${TO_2}`,
      `${own}, ${OPEN}, ${TO_2.replace("}}", "}, 10.0.13.3: {remote_as: 65003}}")}`,
    )
    .replace(TO_1, TO_1.replace("}}", "}, 10.0.23.3: {remote_as: 65003}}"))
    .replace("links: [", third);
  expect(judged("best: r1, to: 10.2.0.0/24, reason: AS Path", text)).toMatchObject({
    status: "passed",
    got: [
      `${SHOWN}: chosen by AS Path`,
      "not via 10.0.13.3, path 65003 65002, origin igp, weight 0: AS Path",
    ].join("\n"),
  });
});

describe("a guest with FRR", () => {
  const path = (more: object) => ({
    valid: true,
    path: "65001",
    origin: "IGP",
    weight: 0,
    nexthops: [{ ip: "10.0.12.1", afi: "ipv4", used: true }],
    ...more,
  });
  const routes = {
    vrfName: "default",
    routes: {
      "10.1.0.0/24": [
        path({ bestpath: true, selectionReason: "Older Path", metric: 5 }),
        path({ path: "65003 65001", nexthops: [{ ip: "10.0.23.3" }] }),
      ],
      "10.3.0.0/24": [
        path({
          path: "",
          bestpath: true,
          selectionReason: "First path received",
          nexthops: [{ ip: "0.0.0.0" }],
          weight: 32_768,
        }),
      ],
    },
  };
  const conf = "router bgp 65002\n";
  const text = (claim: string) => `
nodes:
  frr: {type: linux, image: frr, ports: 1, files: {/etc/frr/frr.conf: ${JSON.stringify(conf)}}}
  h1: {ip: 10.0.0.1/24}
links: [h1 -- frr]
duration: 5s
expect: [{${claim}}]
`;
  const verdict = (claim: string, answer: string) => {
    const guests = guestsWithAnswers((_, question) => (question === "frr bgp routes" ? answer : ""));
    return runLab(parseLabFile(text(claim), { name: "guest", guests })).verdicts[0]!;
  };

  test("has a best path as well", () => {
    const claim = "best: frr, to: 10.1.0.0/24, via: 10.0.12.1, as_path: 65001, med: 5, reason: Older Path";
    expect(verdict(claim, JSON.stringify(routes))).toMatchObject({
      status: "passed",
      got: [
        "via 10.0.12.1, path 65001, origin igp, MED 5, weight 0: chosen by Older Path",
        "not via 10.0.23.3, path 65003 65001, origin igp, weight 0",
      ].join("\n"),
    });
    expect(verdict("best: frr, to: 10.3.0.0/24, via: local", JSON.stringify(routes))).toMatchObject({
      status: "passed",
      got: "local, path of no AS, origin igp, weight 32768",
    });
  });

  test("without BGP, with an odd answer, and without one", () => {
    const claim = "best: frr, to: 10.1.0.0/24";
    expect(verdict(claim, "")).toMatchObject({ status: "failed", got: "frr does not run BGP" });
    expect(verdict(claim, "% odd")).toMatchObject({
      status: "undecided",
      got: "frr prints routes of BGP that the reader does not understand",
    });
  });

  test("has no communities that are read, and BIRD no routes", () => {
    const parse = (file: string) => () =>
      parseLabFile(file, { name: "guest", guests: guestsWithAnswers(() => "") });
    for (const claim of [
      "best: frr, to: 10.1.0.0/24, communities: ['1:2']",
      "rib: frr, routes: {10.1.0.0/24: {communities: []}}",
    ])
      expect(parse(text(claim))).toThrow(/are read of simulated routers alone/);
    const bird = `nodes: {g: {type: linux, image: bird, ports: 1, files: {/etc/bird/bird.conf: ""}}}
expect: [{best: g, to: 10.0.0.0/8}]
`;
    expect(parse(bird)).toThrow(/has BIRD, whose routes are not read/);
  });
});

test("what cannot be read is refused with its place", () => {
  const refused = (claim: string) => problemsIn(`${LAB}expect: [{${claim}}]\n`).join("\n");
  expect(refused("best: h1, to: 10.2.0.0/24")).toContain("must be a router");
  expect(refused("best: r1, to: 10.2.0.0")).toContain("must be a network with prefix length");
  expect(refused('best: r1, to: "2001:db8::/32"')).toContain("must be an IPv4 network");
  expect(refused('rib: r1, routes: {"2001:db8::/32": {as_path: 1}}')).toContain("must be an IPv4 network");
  expect(refused("best: r1, to: 10.2.0.0/24, med: much")).toContain("med");
});
