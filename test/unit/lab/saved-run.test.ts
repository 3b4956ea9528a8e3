/** The law of saved runs: a run until a moment, saved, loaded and continued, is the run itself. */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeStream } from "@wirelab/engine/base/random";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { readTopologyFile } from "@wirelab/lab/topology/read-topology";
import { describe, expect, test } from "vitest";
import { saveSimulation, startSimulation } from "../../../packages/engine/simulation/saved-run.ts";
import { drawn, drawOf } from "../../helpers/cases/draw.ts";
import {
  begin,
  continued,
  optionsOf,
  outcomeOf,
  savedAt,
  throughJson,
  whole,
} from "../../helpers/saved/halves.ts";
import { randomLab } from "../../helpers/saved/random-lab.ts";

const FOLDER = new URL("../../../examples/labs", import.meta.url).pathname;
const CONTINUE = new URL("../../helpers/saved/continue-run.ts", import.meta.url).pathname;
const FILES = globSync("**/*.lab.yaml", { cwd: FOLDER }).toSorted();

const draw = drawOf(3);

function example(file: string): LabModel {
  const path = join(FOLDER, file);
  const load = (name: string): Uint8Array => readFileSync(join(dirname(path), name));
  const loadTopology = (name: string) => readTopologyFile(name, load(name));
  return parseLabFile(readFileSync(path, "utf8"), { name: file, file, load, loadTopology });
}

const random = (seed: number): LabModel => parseLabFile(randomLab(seed), { name: `random ${seed}` });

/** Moments that are spread over a run, most of them off the whole microsecond. */
function momentsOf(seed: string, endNs: number, count: number): number[] {
  const stream = makeStream(seed, "moments");
  return Array.from({ length: count }, () => Math.floor((stream.nextUint32() / 2 ** 32) * endNs));
}

describe("a run that is saved and loaded goes on as the run itself", () => {
  test.each(drawn(FILES, draw))(`%s${draw.note}`, (file) => {
    const model = example(file);
    const expected = whole(model);
    for (const atNs of momentsOf(file, expected.endNs, 2))
      expect({ atNs, ...continued(model, throughJson(savedAt(model, atNs))) }).toEqual({ atNs, ...expected });
  });

  test.each(Array.from({ length: 10 }, (_, seed) => [seed]))("random lab %i", (seed) => {
    const model = random(seed);
    const expected = whole(model);
    for (const atNs of momentsOf(`random ${seed}`, expected.endNs, 2))
      expect({ atNs, ...continued(model, throughJson(savedAt(model, atNs))) }).toEqual({ atNs, ...expected });
  });
});

const PROTOCOLS = `
name: protocols
nodes:
  pc1: {ip: 10.0.1.10/24, gateway: 10.0.1.254, dns: 10.0.1.1}
  pc2: {ip: 10.0.2.10/24, gateway: 10.0.2.1, dns: 10.0.2.1}
  sw1:
    type: switch
    bundles: [{ports: [1, 2], mode: active}]
    igmp_snooping: {querier: {address: 10.0.1.253}, interval: 10}
    mld_snooping: {querier: {}, interval: 10}
    storm_control: {0: {broadcast: 5}}
    lldp: true
  sw2: {type: switch, bundles: [{ports: [1, 2], mode: passive}], rstp: true}
  r1:
    type: router
    ports:
      - {ipv4: 10.0.1.1/24, vrrp: [{id: 7, ipv4: [10.0.1.254], priority: 150}]}
      - 10.0.12.1/30
    routes: [{to: 10.0.2.0/24, via: 10.0.12.2, track: 10.0.2.1}]
    dns: {servers: [10.0.2.10, 10.0.12.2]}
    syslog: {servers: [10.0.2.10]}
  r2:
    type: router
    ports:
      - {ipv4: 10.0.1.2/24, vrrp: [{id: 7, ipv4: [10.0.1.254]}]}
      - 10.0.12.2/30
      - {ipv4: 10.0.2.1/24, acl_in: BOTH}
    acls:
      - name: BOTH
        rules: ["permit ip any any state established,related", permit ip any any]
    dns: {servers: []}
links:
  - pc1 -- sw1:0
  - {link: "sw1:1 -- sw2:1", name: left, filters: {delay: 3ms}}
  - {link: "sw1:2 -- sw2:2", name: right}
  - r1:0 -- sw2:3
  - r2:0 -- sw2:4
  - {link: "r1:1 -- r2:1", name: middle, filters: {delay: 40ms}}
  - pc2 -- r2:2
run:
  - {at: 3s, console: {pc1: [ping 10.0.2.10 -c 3 -l 4000, ping www.example.com -c 1, trace 10.0.2.10]}}
  - {at: 4s, console: {pc2: [ip auto, ping 10.0.1.10 -P 6 -c 3]}}
  - {at: 6s, console: {r2: [ping 10.0.1.1 -c 20, show vrrp]}}
  - {at: 9s, impairments: {left: {carrier: down}}}
  - {at: 12s, stop: r1}
  - {at: 18s, start: r1}
  - {at: 20s, impairments: {left: null}}
duration: 30s
expect: []
`;

test("every protocol keeps its timers", () => {
  const model = parseLabFile(PROTOCOLS, { name: "protocols" });
  const expected = whole(model);
  for (const atNs of momentsOf("protocols", expected.endNs, 24))
    expect({ atNs, ...continued(model, throughJson(savedAt(model, atNs))) }).toEqual({ atNs, ...expected });
});

const ROUTED = ["bfd.lab.yaml", "ospf-campus.lab.yaml", "ospf-campus-broken.lab.yaml"];

test.each(ROUTED)("routing protocols keep their timers: %s", (file) => {
  const model = example(file);
  const expected = whole(model);
  for (const atNs of momentsOf(`routing ${file}`, expected.endNs, 24))
    expect({ atNs, ...continued(model, throughJson(savedAt(model, atNs))) }).toEqual({ atNs, ...expected });
});

test("BGP keeps its sessions, routes and timers", () => {
  const model = example("bgp-site.lab.yaml");
  const expected = whole(model);
  const whileBooting = momentsOf("BGP boots", 3e9, 12);
  for (const atNs of [...whileBooting, ...momentsOf("BGP", expected.endNs, 24)])
    expect({ atNs, ...continued(model, throughJson(savedAt(model, atNs))) }).toEqual({ atNs, ...expected });
});

test("a device with memory of its own is refused by the name of its node", () => {
  const simulation = begin(random(1), 1e9);
  const { device } = simulation.nodes.get("sw0")!;
  Object.defineProperty(device, "freeze", { value: undefined });
  expect(() => saveSimulation(simulation)).toThrow(
    "sw0: a node of type ethernet_switch cannot be saved in the middle of a run",
  );
});

test("a run goes on in another process", () => {
  const text = randomLab(6);
  const model = parseLabFile(text, { name: "saved" });
  const input = JSON.stringify({ text, saved: savedAt(model, 9_123_456_789) });
  const output = execFileSync(process.execPath, [CONTINUE], { input, encoding: "utf8", maxBuffer: 2 ** 28 });
  expect(JSON.parse(output)).toEqual(whole(model));
});

test("data of another version are refused", () => {
  const model = random(1);
  const saved = { ...savedAt(model, 1e9), version: 2 };
  expect(() => startSimulation(saved, optionsOf(model))).toThrow(
    "The saved run has version 2; this release reads version 1.",
  );
});

test("a timer that no device has saved is refused by the name of its node", () => {
  const simulation = begin(random(1), 1e9);
  const node = simulation.nodes.get("sw0")!;
  const freeze = node.freeze.bind(node);
  node.freeze = () => ({ ...freeze(), device: { state: { macs: [] } } });
  expect(() => saveSimulation(simulation)).toThrow("sw0: it waits for something that cannot be saved");
});

test("saving does not change the run", () => {
  const model = random(3);
  const simulation = begin(model, 7e9);
  saveSimulation(simulation);
  expect(outcomeOf(simulation)).toEqual(whole(model));
});

test("a run can be saved again and again", () => {
  const model = random(4);
  const expected = whole(model);
  let saved = savedAt(model, 1e9);
  for (let seconds = 2; seconds < 38; seconds += 3) {
    const simulation = startSimulation(throughJson(saved), optionsOf(model));
    simulation.advance(seconds * 1e9);
    saved = saveSimulation(simulation);
  }
  expect(continued(model, saved)).toEqual(expected);
});
