/** The check of neighbours in tables of routes (VRF), whose addresses may overlap, with nodes that answer as FRR does. */
import { judgeAdjacencies } from "@wirelab/lab/adjacency/judge-adjacencies";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { runLab } from "@wirelab/lab/run-lab";
import { expect, test } from "vitest";
import { type AnswerOf, guestsWithAnswers } from "../../../helpers/engine/script-node.ts";

const NUMBERS: Readonly<Record<string, number>> = { r1: 1, r2: 2 };

/** Two cables with the same addresses: eth0 in the VRF red, eth1 in the default table. */
const ports = (node: string, master = "red"): string =>
  JSON.stringify(
    ["red", "eth0", "eth1"].map((ifname) => ({
      ifname,
      flags: ["UP", "LOWER_UP"],
      mtu: 1_500,
      ...(ifname === "eth0" && { master }),
      addr_info: ifname === "red" ? [] : [{ local: `10.0.0.${NUMBERS[node]}`, prefixlen: 24 }],
    })),
  );

const configOf = (number: number): string => {
  const peer = 3 - number;
  const bgp = (vrf: string) =>
    `router bgp 6500${number}${vrf}\n neighbor 10.0.0.${peer} remote-as 6500${peer}\n neighbor 10.0.0.${peer} bfd\n`;
  return [
    "interface eth0\n ip ospf area 0\n",
    "interface eth1\n ip ospf area 0\n",
    "router ospf\nrouter ospf vrf red\n",
    bgp(""),
    bgp(" vrf red"),
  ].join("");
};

function play(answerOf: AnswerOf) {
  const guests = guestsWithAnswers(answerOf);
  const node = (name: string) =>
    `  ${name}: {type: linux, image: frr, ports: 2, files: ${JSON.stringify({ "/etc/frr/frr.conf": configOf(NUMBERS[name]!) })}}`;
  const text = `nodes:\n  pc1: 10.99.0.1/24\n  sw: switch\n${["r1", "r2"].map(node).join("\n")}\nlinks: ["r1:eth0 -- r2:eth0", "r1:eth1 -- r2:eth1", pc1 -- sw]\nduration: 5s\n`;
  const { verdicts, unchecked } = runLab(parseLabFile(text, { name: "lab", guests }), {
    judgeMore: judgeAdjacencies,
  });
  return { verdicts: verdicts.map(({ status, name, got }) => `${status}: ${name}: ${got}`), unchecked };
}

/** What FRR 8.4 prints for `vrf all`. @param red the state in the VRF. */
const answer =
  (red: { readonly ospf: string; readonly bgp: string; readonly bfd: string }): AnswerOf =>
  (node, question) => {
    const peer = `10.0.0.${3 - NUMBERS[node]!}`;
    const neighbours = (port: string, state: string) =>
      state === ""
        ? {}
        : { [`9.9.9.${port.at(-1)}`]: [{ ifaceName: `${port}:x`, ifaceAddress: peer, nbrState: state }] };
    switch (question) {
      case "ip":
        return ports(node);
      case "frr ospf vrfs":
        return JSON.stringify({
          default: { vrfName: "default", vrfId: 0, neighbors: neighbours("eth1", "Full/DR") },
          red: { vrfName: "red", vrfId: 6, neighbors: neighbours("eth0", red.ospf) },
        });
      case "frr bgp vrfs":
        return JSON.stringify({
          default: { vrfId: 0, vrfName: "default", [peer]: { bgpState: "Established" } },
          red: { vrfId: 6, vrfName: "red", [peer]: { bgpState: red.bgp } },
        });
      case "frr bfd":
        return JSON.stringify([
          { peer, vrf: "default", interface: "eth1", status: "up" },
          { peer, vrf: "red", interface: "eth0", status: red.bfd },
        ]);
      default:
        return "{}";
    }
  };

test("neighbours of a VRF are checked in the VRF, beside equal addresses in the default table", () => {
  expect(play(answer({ ospf: "Full/DR", bgp: "Established", bfd: "up" }))).toEqual({
    unchecked: undefined,
    verdicts: [
      "passed: neighbours: OSPF r1 eth0 -- r2 eth0: up at both ends",
      "passed: neighbours: OSPF r1 eth1 -- r2 eth1: up at both ends",
      "passed: neighbours: BGP r1 10.0.0.1 -- r2 10.0.0.2: up at both ends",
      "passed: neighbours: BFD r1 10.0.0.1 -- r2 10.0.0.2: up at both ends",
      "passed: neighbours: BGP r1 10.0.0.1 (VRF red) -- r2 10.0.0.2 (VRF red): up at both ends",
      "passed: neighbours: BFD r1 10.0.0.1 (VRF red) -- r2 10.0.0.2 (VRF red): up at both ends",
    ],
  });
});

test("a neighbour that is up in the default table alone fails in the VRF", () => {
  const { verdicts } = play(answer({ ospf: "", bgp: "Active", bfd: "down" }));
  expect(verdicts.map((line) => line.split(": ").slice(0, 3).join(": "))).toEqual([
    "failed: neighbours: OSPF r1 eth0 -- r2 eth0",
    "passed: neighbours: OSPF r1 eth1 -- r2 eth1",
    "passed: neighbours: BGP r1 10.0.0.1 -- r2 10.0.0.2",
    "passed: neighbours: BFD r1 10.0.0.1 -- r2 10.0.0.2",
    "failed: neighbours: BGP r1 10.0.0.1 (VRF red) -- r2 10.0.0.2 (VRF red)",
    "failed: neighbours: BFD r1 10.0.0.1 (VRF red) -- r2 10.0.0.2 (VRF red)",
  ]);
});
