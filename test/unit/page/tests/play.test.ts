/** Labs that the page plays: problems with their lines, verdicts, and the failures that break pairs. */
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import type { Link, Node } from "../../../../page/src/api/types.ts";
import { idOfFailed, idOfLink } from "../../../../page/src/tests/find-failed.ts";
import { pairsOf, playTests, readModel, sweep, sweepRows } from "../../../../page/src/tests/play.ts";
import { niceTop, shortNumber } from "../../../../page/src/tests/plot-scale.ts";
import { packetsAround, recordTimeline } from "../../../../page/src/tests/timeline.ts";

const PORTS = [0, 1, 2, 3].map((port) => ({
  name: `Ethernet${port}`,
  port_number: port,
  type: "access",
  vlan: 1,
}));
const node = (name: string, node_type: string, properties: object) => ({
  node_id: `id-${name}`,
  name,
  node_type,
  properties,
});
const end = (name: string, port_number = 0) => ({ node_id: `id-${name}`, adapter_number: 0, port_number });

/** PC1 and PC2 at one switch, PC3 behind a second one. */
const NODES = [
  ...[1, 2, 3].map((number) => node(`PC${number}`, "vpcs", { startup_script: `ip 10.0.0.${number}/24` })),
  node("SW1", "ethernet_switch", { ports_mapping: PORTS }),
  node("SW2", "ethernet_switch", { ports_mapping: PORTS }),
];
const LINKS = [
  [end("PC1"), end("SW1", 0)],
  [end("PC2"), end("SW1", 1)],
  [end("PC3"), end("SW2", 0)],
  [end("SW1", 2), end("SW2", 1)],
].map((nodes, index) => ({ link_id: `link-${index}`, nodes, filters: {} }));

const archiveOf = (nodes: readonly object[]): Uint8Array =>
  zipSync({ "project.gns3": strToU8(JSON.stringify({ revision: 9, topology: { nodes, links: LINKS } })) });
const ARCHIVE = archiveOf(NODES);

describe("a lab of the service", () => {
  test("is played with expectations, and a failure says what was seen", () => {
    const text = "expect:\n  - reach: all\n  - not reach: PC1 -> PC2\n";
    const { status, verdicts } = playTests(readModel(ARCHIVE, text));
    expect(status).toBe("failed");
    expect(verdicts.map((verdict) => verdict.status)).toEqual(["passed", "failed"]);
    expect(verdicts[1]!.evidence!.packets.length).toBeGreaterThan(0);
    // The packets that arrived have died nowhere.
    expect(verdicts[1]!.evidence!.death).toBeUndefined();
  });

  test.each([
    ["expect:\n  - reach: PC1 -> PC9\n", /line:2:.*PC9/],
    ["expect:\n  - seek: all\n", /line:2:.*seek/],
    [
      "run:\n  - {at: 1, replay: {file: a.pcap, from: PC1}}\nexpect: []\n",
      /a\.pcap: files cannot be read here/,
    ],
  ])("is refused with the line: %j", (text, message) => {
    expect(() => readModel(ARCHIVE, text)).toThrow(message);
  });

  test("is played without nodes that a browser cannot play, which are named", () => {
    const archive = archiveOf([
      ...NODES,
      node("R1", "qemu", {}),
      node("L1", "docker", { image: "wirelab/linux:debian" }),
    ]);
    const model = readModel(archive, "expect:\n  - reach: all\n");
    expect(model.warnings).toEqual([
      "R1 is left out with its links: it is of the type qemu",
      "L1 is left out with its links: it is of the type docker with the image wirelab/linux:debian",
    ]);
    expect(playTests(model).status).toBe("passed");
  });
});

test("a timeline has the bytes, the losses and the events of each link, and the packets by a time", () => {
  const text =
    "run:\n  - {at: 1s, console: {PC1: ping 10.0.0.3 -c 1}}\n  - {at: 2s, down: SW1-SW2}\n  - {at: 3s, console: {PC1: ping 10.0.0.3 -c 1}}\n";
  const recording = recordTimeline(readModel(ARCHIVE, text));
  const { endNs, binNs, links, events } = recording.timeline;
  expect(endNs).toBeGreaterThan(3e9);
  expect(events.map(({ words }) => words)).toEqual([
    "PC1: ping 10.0.0.3 -c 1",
    "SW1-SW2 down",
    "PC1: ping 10.0.0.3 -c 1",
  ]);
  const trunk = links.find(({ name }) => name === "SW1-SW2")!;
  const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
  expect(sum(trunk.lost.slice(0, Math.floor(3e9 / binNs)))).toBe(0);
  expect(sum(trunk.lost)).toBeGreaterThan(0);
  expect(sum(trunk.bytes)).toBeGreaterThan(0);
  expect(packetsAround(recording, 0.5e9)).toEqual([]);
  const last = packetsAround(recording, 2.5e9).at(-1)!;
  expect(last.at).toBeLessThanOrEqual(2.5);
  expect(last).toMatchObject({ fate: "arrived", to: "PC1" });
  expect(packetsAround(recording, endNs).at(-1)).toMatchObject({ link: "SW1-SW2", fate: "the link is down" });
  const nodes = new Map(NODES.map((each) => [each.node_id, each as unknown as Node]));
  const all = new Map(LINKS.map((each) => [each.link_id, each as unknown as Link]));
  expect(idOfLink(trunk.ends, nodes, all)).toBe("link-3");
});

test("a timeline has the round trips of pings, and what each direction of a link carries", () => {
  const slow = LINKS.map((link) =>
    link.link_id === "link-3" ? { ...link, filters: { delay: [20, 0] } } : link,
  );
  const archive = zipSync({
    "project.gns3": strToU8(JSON.stringify({ revision: 9, topology: { nodes: NODES, links: slow } })),
  });
  const text =
    "run:\n  - {at: 1s, console: {PC1: ping 10.0.0.3 -c 2}}\n  - {at: 4s, down: SW1-SW2}\n  - {at: 5s, console: {PC1: ping 10.0.0.3 -c 1}}\n";
  const { pings, links } = recordTimeline(readModel(archive, text)).timeline;
  expect(pings.map(({ from, to }) => `${from} ${to}`)).toEqual([
    "PC1 10.0.0.3",
    "PC1 10.0.0.3",
    "PC1 10.0.0.3",
  ]);
  expect(pings.map(({ rttNs }) => rttNs === null)).toEqual([false, false, true]);
  // The delay is that of each direction.
  expect(pings[0]!.rttNs).toBeGreaterThanOrEqual(40e6);
  expect(pings[0]!.rttNs).toBeLessThan(45e6);
  const trunk = links.find(({ name }) => name === "SW1-SW2")!;
  const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
  const [out, back] = trunk.directions;
  expect([out!.from, out!.to, back!.from, back!.to]).toEqual(["SW1", "SW2", "SW2", "SW1"]);
  // An ARP request and two pings to PC3; each has its reply.
  expect(sum(back!.bytes)).toBe(sum(out!.bytes));
  expect(sum(out!.bytes)).toBe(trunk.bytes.reduce((total, each) => total + each, 0) / 2 - 49);
  expect(Math.max(...out!.underWay)).toBe(1);
  expect(sum(trunk.entered) - sum(trunk.lost)).toBe(6);
});

test("tops of plots are round, and their numbers short", () => {
  expect([0, 0.03, 1, 7, 12, 4200].map(niceTop)).toEqual([1, 0.05, 1, 10, 20, 5000]);
  expect([0, 999, 1500, 2_000_000].map(shortNumber)).toEqual(["0 ", "999 ", "1.5 k", "2 M"]);
});

test("a sweep lets each link and node fail once, and says which pairs break", () => {
  const model = readModel(ARCHIVE, "expect: []");
  const rows = [...sweep(model)];
  expect(rows).toHaveLength(sweepRows(model));
  expect(rows).toHaveLength(1 + 4 + 5);
  const broken = new Map(
    rows.map(({ failure, reaches }) => [
      failure?.name ?? "none",
      pairsOf(model).filter((_, pair) => reaches[pair] === false),
    ]),
  );
  expect(broken.get("none")).toEqual([]);
  expect(broken.get("SW2")).toEqual(["PC1 -> PC3", "PC2 -> PC3", "PC3 -> PC1", "PC3 -> PC2"]);
  expect(broken.get("PC1")).toEqual(["PC1 -> PC2", "PC1 -> PC3", "PC2 -> PC1", "PC3 -> PC1"]);

  const nodes = new Map(NODES.map((each) => [each.node_id, each as unknown as Node]));
  const links = new Map(LINKS.map((each) => [each.link_id, each as unknown as Link]));
  const ids = rows.map((row) => idOfFailed(row, nodes, links));
  expect(ids).toEqual([
    undefined,
    ...LINKS.map(({ link_id }) => link_id),
    ...NODES.map(({ node_id }) => node_id),
  ]);
  expect(idOfFailed({ failure: { kind: "node", name: "gone" }, ends: [] }, nodes, links)).toBeUndefined();
});

test("a switch keeps its spanning tree", () => {
  const archive = archiveOf(
    NODES.map((each) =>
      each.name === "SW1" ? node("SW1", "ethernet_switch", { ports_mapping: PORTS, rstp: true }) : each,
    ),
  );
  const { nodes } = readModel(archive, "expect: []");
  expect(nodes.find(({ name }) => name === "SW1")!.spec).toMatchObject({ rstp: { priority: 32_768 } });
});
