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
    [TO_2, "neighbors: {10.1.0.1: {remote_as: 65001}}", "r2 has no route to 10.1.0.1"],
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
    const text = bgpPair(`${OPEN}, neighbors: {10.2.0.1: {remote_as: 65002}}`, `${OPEN}, ${TO_1}`).replace(
      "bgp: {as: 65001",
      "routes: [{to: 10.2.0.0/24, via: 10.0.12.2}]\n    bgp: {as: 65001",
    );
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
  const refused = (claim: string) => problemsIn(`${whole}expect: [{${claim}}]\n`).join("\n");
  expect(refused(`${BGP}, state: full`)).toContain('is no state of bgp: "full"');
  expect(refused("adjacency: r1 -- r2, state: idle")).toContain('is no state of ospf: "idle"');
});

describe("a simulated router beside a guest with FRR", () => {
  const conf = "router bgp 65002\n neighbor 10.0.12.1 remote-as 65009\n neighbor 10.0.12.1 password secret\n";
  const guests = (state: string, more = {}) =>
    guestsWithAnswers((_, question) => {
      if (question === "ip")
        return JSON.stringify([
          { ifname: "eth0", flags: ["UP"], mtu: 1_500, addr_info: [{ local: "10.0.12.2", prefixlen: 24 }] },
        ]);
      if (question !== "frr bgp") return "";
      return JSON.stringify({
        "10.0.12.1": { remoteAs: 65_009, localAs: 65_002, bgpState: state, ...more },
      });
    });
  const text = (config = conf) => `
nodes:
  r1:
    type: router
    ports: [{ipv4: 10.0.12.1/24}]
    bgp: {as: 65001, ${OPEN}, ${TO_2}}
  frr: {type: linux, image: frr, ports: 1, files: {/etc/frr/frr.conf: ${JSON.stringify(config)}}}
links: [r1 -- frr]
duration: 5s
expect: [{adjacency: r1 -- frr, protocol: bgp}]
`;
  const verdict = (guest: ReturnType<typeof guests>, config = conf) =>
    runLab(parseLabFile(text(config), { name: "mixed", guests: guest })).verdicts[0]!;

  test("compares both ends", () => {
    const { status, got } = verdict(guests("Active", { lastResetDueTo: "Waiting for NHT" }));
    expect(status).toBe("failed");
    const [states, ...reasons] = got.split("\n");
    expect(states).toMatch(
      /^r1 shows 10.0.12.2 \w+.*; frr shows 10.0.12.1 Active \(last: Waiting for NHT\)$/,
    );
    expect(reasons).toEqual([
      "frr expects AS 65009 (/etc/frr/frr.conf:2), and r1 has AS 65001",
      "r1 has no password for the session",
    ]);
  });

  test("reads update-source, shutdown and a missing policy", () => {
    const config = conf.replace("password secret", "update-source eth0");
    expect(verdict(guests("Idle", { adminShutDown: true }), config).got).toContain(
      "frr has shut down 10.0.12.1",
    );
    const policy = { addressFamilyInfo: { ipv4Unicast: { inboundEbgpRequiresPolicy: "discarded" } } };
    expect(verdict(guests("Established", policy), config).got).toContain(
      "frr has no policy in for 10.0.12.1, so no routes go there (RFC 8212)",
    );
  });

  test("is undecided when the reader does not understand the daemon", () => {
    const odd = parseLabFile(text(), { name: "mixed", guests: guestsWithAnswers(() => "% odd") });
    expect(runLab(odd).verdicts[0]).toMatchObject({ status: "undecided" });
  });
});
