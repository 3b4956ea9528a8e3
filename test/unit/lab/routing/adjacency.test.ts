/** `adjacency`: whether two routers are neighbours, and in what their ends differ if not. */
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { runLab } from "@wirelab/lab/run-lab";
import { describe, expect, test } from "vitest";
import { guestsWithAnswers } from "../../../helpers/engine/script-node.ts";
import { problemsIn, report } from "../helpers.ts";
import { pair } from "./campus.ts";

const P2P = "network: point-to-point";
const judged = (text: string, expectation = "adjacency: r1 -- r2") =>
  report(`${text}expect: [{${expectation}}]\n`).verdicts[0]!;

test("an adjacency holds when both ends are full", () => {
  expect(judged(pair(P2P))).toMatchObject({
    status: "passed",
    name: "adjacency: r1 -- r2",
    got: "r1 Ethernet1 shows Full; r2 Ethernet1 shows Full",
  });
  expect(judged(pair())).toMatchObject({
    status: "passed",
    got: "r1 Ethernet1 shows Full/DR; r2 Ethernet1 shows Full/Backup",
  });
  expect(judged(pair(P2P), 'adjacency: "r1:1 -- r2:Ethernet1"').status).toBe("passed");
  expect(judged(pair(P2P), "not adjacency: r1 -- r2").status).toBe("failed");
});

describe("a broken twin fails for the right reason", () => {
  test.each([
    ["area: 1", "area: 2", "area 0.0.0.1 on r1 Ethernet1, 0.0.0.2 on r2 Ethernet1"],
    ["hello_seconds: 5", "", "hello interval 5 s on r1 Ethernet1, 10 s on r2 Ethernet1"],
    ["dead_seconds: 30", "", "dead interval 30 s on r1 Ethernet1, 40 s on r2 Ethernet1"],
    ["passive: true", "", "r1 Ethernet1 is passive"],
    [
      "authentication: message-digest, message_digest_keys: {'1': one}",
      "",
      "authentication message digest on r1 Ethernet1, none on r2 Ethernet1",
    ],
    [
      "authentication: message-digest, message_digest_keys: {'1': one}",
      "authentication: message-digest, message_digest_keys: {'1': other}",
      "the keys of the authentication differ",
    ],
    [
      "authentication: password, authentication_key: one",
      "authentication: password, authentication_key: other",
      "the keys of the authentication differ",
    ],
  ])("%s beside {%s}", (one, other, reason) => {
    const verdict = judged(pair(`${P2P}, ${one}`, [P2P, other].filter((each) => each !== "").join(", ")));
    expect(verdict.status).toBe("failed");
    expect(verdict.got.split("\n")).toContain(reason);
  });

  test("network types", () => {
    const { status, got } = judged(pair(P2P, "network: broadcast"), "adjacency: r1 -- r2, state: full");
    // The two are full, as with FRR, and have no routes: the type is part of what the file expects of the link.
    expect([status, got.split("\n")[0]]).toEqual([
      "passed",
      "r1 Ethernet1 shows Full; r2 Ethernet1 shows Full/Backup",
    ]);
  });

  test.each([
    ["router_id: 2.2.2.2", "router_id: 1.1.1.1", "both have the router ID 1.1.1.1"],
    ["10.0.12.2/24", "10.0.12.2/25", "prefix length 24 on r1 Ethernet1, 25 on r2 Ethernet1"],
    ["10.0.12.2/24", "10.0.13.2/24", "address 10.0.12.1/24 on r1 Ethernet1, 10.0.13.2/24 on r2 Ethernet1"],
    ["ipv4: 10.0.12.2/24", "ipv4: 10.0.12.2/24, mtu: 1400", "MTU 1500 on r1 Ethernet1, 1400 on r2 Ethernet1"],
    [
      'networks: {10.0.0.0/8: "0"}}\nlinks',
      'networks: {10.2.0.0/16: "0"}}\nlinks',
      "OSPF does not run on r2 Ethernet1",
    ],
    [
      'networks: {10.0.0.0/8: "0"}}\nlinks',
      'networks: {10.0.0.0/8: "1"}, areas: {"1": stub}}\nlinks',
      "area 0.0.0.0 on r1 Ethernet1, 0.0.0.1 on r2 Ethernet1",
    ],
  ])("%s becomes %s", (before, after, reason) => {
    const text = pair();
    expect(text.split(before)).toHaveLength(2);
    const { status, got } = judged(text.replace(before, after));
    expect(status).toBe("failed");
    expect(got.split("\n")).toContain(reason);
  });

  test("a stub area at one end", () => {
    const text = pair(`${P2P}, area: 1`).replace(
      "router_id: 1.1.1.1",
      'router_id: 1.1.1.1, areas: {"1": stub}',
    );
    const { got } = judged(text);
    expect(got.split("\n")).toContain("kind of area stub on r1 Ethernet1, ordinary on r2 Ethernet1");
  });

  test("the packets that an end has refused", () => {
    expect(judged(pair(`${P2P}, hello_seconds: 5`, P2P)).got).toMatch(
      /^r1 Ethernet1 has refused packets: hello interval [1-9]\d*$/m,
    );
  });

  test("a router without OSPF, a router that is off, a link that is down", () => {
    const without = pair(P2P).replace(/ {4}ospf: \{router_id: 2.2.2.2.*\n/, "");
    expect(judged(without).got).toBe("r2 does not run OSPF");
    const events = "run: [{at: 1s, stop: r2}, {at: 100s, start: r2}, {at: 200s, down: middle}]\n";
    expect(judged(pair(P2P, P2P, events), "adjacency: r1 -- r2, at: 50s")).toMatchObject({
      status: "failed",
      got: "r2 is off",
    });
    expect(judged(pair(P2P, P2P, events), "adjacency: r1 -- r2, at: 190s").status).toBe("passed");
    expect(judged(pair(P2P, P2P, events)).got.split("\n")).toContain("the link middle is down");
  });
});

test("within: the adjacency holds at the end of the time", () => {
  const events = "run: [{at: 10s, down: middle, name: cut}]\n";
  expect(judged(pair(P2P, P2P, events), "adjacency: r1 -- r2, after: cut, within: 5s").status).toBe("passed");
  expect(judged(pair(P2P, P2P, events), "adjacency: r1 -- r2, after: cut, within: 45s").status).toBe(
    "failed",
  );
});

test("routers that are neither designated nor backup stay in 2-Way with each other", () => {
  const routers = [1, 2, 3, 4].map(
    (id) =>
      `  r${id}: {type: router, ports: [{ipv4: 10.0.0.${id}/24}], ospf: {router_id: ${id}.${id}.${id}.${id}, networks: {10.0.0.0/8: "0"}}}\n`,
  );
  const links = [1, 2, 3, 4].map((id) => `r${id} -- sw`).join(", ");
  const text = `nodes:\n  sw: switch\n${routers.join("")}links: [${links}]\n`;
  expect(judged(text)).toMatchObject({ status: "passed", got: expect.stringContaining("2-Way/DROther") });
  expect(judged(text, "adjacency: r1 -- r2, state: 2-way").status).toBe("passed");
  expect(judged(text, "adjacency: r1 -- r2, state: full").status).toBe("failed");
  expect(judged(text, "adjacency: r1 -- r4, state: full").status).toBe("passed");
});

test("subinterfaces face each other by their network", () => {
  const router = (id: number) => `
  r${id}:
    type: router
    ports: [{}]
    interfaces: [{type: vlan, vlan: 7, name: Ethernet0.7, ipv4: 10.0.7.${id}/24}]
    ospf: {router_id: ${id}.${id}.${id}.${id}, networks: {10.0.0.0/8: "0"}}`;
  const text = `nodes:${router(1)}${router(2)}\nlinks: [r1 -- r2]\n`;
  expect(judged(text)).toMatchObject({
    status: "passed",
    got: "r1 Ethernet0.7 shows Full/DR; r2 Ethernet0.7 shows Full/Backup",
  });
  expect(judged(text, 'adjacency: "r1:Ethernet0.7 -- r2"').status).toBe("passed");
});

test("what cannot be read is refused with its place", () => {
  const refused = (expectation: string) => problemsIn(`${pair()}expect: [{${expectation}}]\n`).join("\n");
  expect(refused("adjacency: r1 -- pc1")).toMatch(
    /must be a router or a Linux node with FRR or BIRD; .*pc1.* is a PC/,
  );
  expect(refused("adjacency: r1 -- r1")).toContain("is from r1 to itself.");
  expect(refused("adjacency: r1")).toContain("must be two routers, r1 -- r2");
  expect(refused('adjacency: "r1:9 -- r2"')).toContain("names no port of r1");
  expect(refused("adjacency: r1 -- r2, protocol: isis")).toContain("protocol");
  expect(refused("adjacency: r1 -- r2, state: up")).toContain("state");
});

describe("a simulated router beside a guest with FRR", () => {
  const conf = "interface eth0\n ip ospf area 0\nrouter ospf\n";
  const guests = (state: string, helloMs = 10_000) =>
    guestsWithAnswers((_, question) => {
      switch (question) {
        case "ip":
          return JSON.stringify([
            { ifname: "eth0", flags: ["UP"], mtu: 1_500, addr_info: [{ local: "10.0.12.2", prefixlen: 24 }] },
          ]);
        case "frr ospf":
          return JSON.stringify({
            neighbors: { "1.1.1.1": [{ ifaceName: "eth0:x", ifaceAddress: "10.0.12.1", nbrState: state }] },
          });
        case "frr ospf ports":
          return JSON.stringify({
            interfaces: {
              eth0: {
                ospfEnabled: true,
                area: "0.0.0.0",
                networkType: "POINTOPOINT",
                timerMsecs: helloMs,
                timerDeadSecs: 40,
                routerId: "2.2.2.2",
                ipAddress: "10.0.12.2",
                ipAddressPrefixlen: 24,
              },
            },
          });
        default:
          return "";
      }
    });
  const text = `
nodes:
  r1:
    type: router
    ports: [{ipv4: 10.0.12.1/24, ospf: {${P2P}}}]
    ospf: {router_id: 1.1.1.1, networks: {10.0.0.0/8: "0"}}
  frr: {type: linux, image: frr, ports: 1, files: {/etc/frr/frr.conf: ${JSON.stringify(conf)}}}
links: [r1 -- frr]
duration: 5s
expect: [adjacency: r1 -- frr]
`;
  const verdict = (...args: Parameters<typeof guests>) =>
    runLab(parseLabFile(text, { name: "mixed", guests: guests(...args) })).verdicts[0]!;

  test("compares both ends", () => {
    const { status, got } = verdict("Init/-", 5_000);
    expect(status).toBe("failed");
    expect(got.split("\n")).toEqual([
      "r1 Ethernet0 shows no neighbour frr; frr eth0 shows Init",
      "hello interval 10 s on r1 Ethernet0, 5 s on frr eth0",
    ]);
  });

  test("is undecided when the reader does not understand the daemon", () => {
    const odd = parseLabFile(text, { name: "mixed", guests: guestsWithAnswers(() => "% odd") });
    expect(runLab(odd).verdicts[0]).toMatchObject({
      status: "undecided",
      got: "frr prints something about its neighbours that the reader does not understand",
    });
  });
});
