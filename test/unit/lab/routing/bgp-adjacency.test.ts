/** `adjacency` with `protocol: bgp`: whether two routers have a session, and in what their ends differ if not. */
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { runLab } from "@wirelab/lab/run-lab";
import { describe, expect, test } from "vitest";
import { guestsWithAnswers } from "../../../helpers/engine/script-node.ts";
import { problemsIn, report } from "../helpers.ts";
import { bgpPair, OPEN, TO_1, TO_2 } from "./bgp-pair.ts";

const BGP = "adjacency: r1 -- r2, protocol: bgp";
const judged = (text: string, expectation = BGP) =>
  report(`${text}expect: [{${expectation}}]\n`).verdicts[0]!;
const whole = bgpPair(`${OPEN}, ${TO_2}`, `${OPEN}, ${TO_1}`);

test("a session holds when both ends are established", () => {
  expect(judged(whole)).toMatchObject({
    status: "passed",
    got: "r1 shows 10.0.12.2 Established; r2 shows 10.0.12.1 Established",
  });
  expect(judged(whole, 'adjacency: "r1:1 -- r2:1", protocol: bgp').status).toBe("passed");
  expect(judged(whole, `${BGP}, state: established`).status).toBe("passed");
  expect(judged(whole, `not ${BGP}`).status).toBe("failed");
  expect(judged(whole, `${BGP}, state: idle`).status).toBe("failed");
});

test("a session that is up without a policy has no routes, and the verdict says so", () => {
  expect(judged(bgpPair(TO_2, `${OPEN}, ${TO_1}`))).toMatchObject({
    status: "passed",
    got: [
      "r1 shows 10.0.12.2 Established; r2 shows 10.0.12.1 Established",
      "r1 has no policy in and out for 10.0.12.2, so no routes go there (RFC 8212)",
    ].join("\n"),
  });
});

describe("a broken twin fails for the right reason", () => {
  test.each([
    [TO_2.replace("65002", "65003"), TO_1, "r1 expects AS 65003, and r2 has AS 65002"],
    [TO_2.replace("65002", "internal"), TO_1, "r1 expects AS 65001, and r2 has AS 65002"],
    [TO_2, TO_1.replace("65001}", "65001, shutdown: true}"), "r2 has shut down 10.0.12.1"],
    [
      TO_2.replace("65002}", "65002, passive: true}"),
      TO_1.replace("65001}", "65001, passive: true}"),
      "both ends wait for the other: they are passive",
    ],
    [TO_2, "neighbors: {}", "r2 names no address of r1 as its neighbour"],
    [TO_2, "neighbors: {10.9.9.9: {remote_as: 65001}}", "the neighbours of r2 are 10.9.9.9"],
    [
      TO_2,
      "neighbors: {10.1.0.1: {remote_as: 65001}}",
      "r2 has no route to 10.1.0.1",
    ],
    [
      TO_2,
      "neighbors: {10.1.0.1: {remote_as: 65001}}",
      "r1 connects from 10.0.12.1, and r2 expects 10.1.0.1: update-source",
    ],
  ])("%s beside %s", (one, other, reason) => {
    const { status, got } = judged(bgpPair(`${OPEN}, ${one}`, `${OPEN}, ${other}`));
    expect(status).toBe("failed");
    expect(got.replace("; ", "\n").split("\n")).toContain(reason);
  });

  test("an external neighbour on no connected subnet", () => {
    const text = bgpPair(
      `${OPEN}, neighbors: {10.2.0.1: {remote_as: 65002}}`,
      `${OPEN}, ${TO_1}`,
    ).replace("bgp: {as: 65001", "routes: [{to: 10.2.0.0/24, via: 10.0.12.2}]\n    bgp: {as: 65001");
    expect(judged(text).got).toContain(
      "r1 has 10.2.0.1 on no connected subnet: ebgp_multihop or disable_connected_check is missing",
    );
  });

  test("a router without BGP, two that do not know each other, a link that is down", () => {
    expect(judged(whole.replace(/ {4}bgp: \{as: 65002.*\n/, "")).got).toBe("r2 does not run BGP");
    const strangers = bgpPair("neighbors: {10.9.9.9: {remote_as: 9}}", "neighbors: {}");
    expect(judged(strangers).got).toBe("neither of r1 and r2 names the other as its neighbour");
    const cut = bgpPair(`${OPEN}, ${TO_2}`, `${OPEN}, ${TO_1}`, "run: [{at: 10s, down: middle}]\n");
    const { status, got } = judged(cut);
    expect(status).toBe("failed");
    expect(got.split("\n")).toContain("the link middle is down");
    expect(judged(cut, `${BGP}, at: 9s`).status).toBe("passed");
  });
});

test("a state of another protocol is refused", () => {
  expect(problemsIn(`${whole}expect: [{${BGP}, state: full}]\n`)).toContain("is no state of bgp");
  expect(problemsIn(`${whole}expect: [{adjacency: r1 -- r2, state: idle}]\n`)).toContain("is no state of ospf");
});
