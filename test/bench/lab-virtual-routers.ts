/** Measures labs of routers with VRRP: pairs on links of their own, and all of them on one hub. */
import { parseRouterProperties, type RouterSpec } from "@wirelab/engine/devices/router/index";
import type { LabLink, LabNode } from "@wirelab/engine/simulation/lab";
import { Simulation } from "@wirelab/engine/simulation/simulation";
import { median } from "./engine-measure.ts";
import { LIMITS, START_US } from "./lab-limits.ts";

const ROUTERS = 1_000;
const LAB_SECONDS = 10;
const ROUNDS = 5;
const GOAL_SECONDS = 2;

/** Two routers of each virtual router, one with more priority. */
function routerSpec(index: number, subnet: number, id: number): RouterSpec {
  const host = index % 2 === 0 ? 1 : 2;
  const net = `10.${subnet >> 8}.${subnet & 255}`;
  const vrrp = [{ id, ipv4: [`${net}.254`], priority: host === 1 ? 150 : 100 }];
  const parsed = parseRouterProperties({ ports: [{ ipv4: `${net}.${host}/24`, vrrp }] });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return { type: "router", name: `R${index}`, mac: 0x0257_4c00_0000 + index * 256, ...parsed.config };
}

const linkOf = (id: string, ends: LabLink["ends"]): LabLink => ({
  id,
  streamName: id,
  ends,
  filters: { settings: {}, bpfPredicates: [] },
  suspended: false,
});

function inPairs(simulation: Simulation): void {
  for (let index = 0; index < ROUTERS; index += 1) {
    const pair = index >> 1;
    const wires = new Map([[0, { linkId: `L${pair}`, peerId: `R${index ^ 1}` }]]);
    simulation.addNode(routerNode(index, routerSpec(index, pair, 7), wires));
  }
  for (let pair = 0; pair < ROUTERS / 2; pair += 1)
    simulation.addLink(
      linkOf(`L${pair}`, [
        { nodeId: `R${2 * pair}`, port: 0 },
        { nodeId: `R${2 * pair + 1}`, port: 0 },
      ]),
    );
}

/** One virtual router with a master and 999 backups. */
function onOneHub(simulation: Simulation): void {
  const ports = new Map(
    Array.from({ length: ROUTERS }, (_, index) => [index, { linkId: `L${index}`, peerId: `R${index}` }]),
  );
  const hub = { type: "ethernet_hub", name: "HUB", ports: ROUTERS } as const;
  simulation.addNode({ id: "HUB", name: "HUB", status: "started", spec: hub, wires: ports });
  for (let index = 0; index < ROUTERS; index += 1) {
    const wires = new Map([[0, { linkId: `L${index}`, peerId: "HUB" }]]);
    simulation.addNode(routerNode(index, hubSpec(index), wires));
    simulation.addLink(
      linkOf(`L${index}`, [
        { nodeId: `R${index}`, port: 0 },
        { nodeId: "HUB", port: index },
      ]),
    );
  }
}

function hubSpec(index: number): RouterSpec {
  const vrrp = [{ id: 7, ipv4: ["10.0.255.254"], priority: index === 0 ? 200 : 100 }];
  const address = `10.0.${(index + 1) >> 8}.${(index + 1) & 255}/16`;
  const parsed = parseRouterProperties({ ports: [{ ipv4: address, vrrp }] });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return { type: "router", name: `R${index}`, mac: 0x0257_4c00_0000 + index * 256, ...parsed.config };
}

const routerNode = (index: number, spec: RouterSpec, wires: LabNode["wires"]): LabNode => ({
  id: `R${index}`,
  name: `R${index}`,
  status: "started",
  spec,
  wires,
});

function measure(build: (simulation: Simulation) => void) {
  const begin = process.cpuUsage();
  const simulation = new Simulation({
    startUs: START_US,
    seed: "bench",
    limits: LIMITS,
    durationNs: LAB_SECONDS * 1e9,
    makeTap: () => undefined,
  });
  build(simulation);
  if (simulation.advance()) throw new Error("The lab is not whole");
  const { user, system } = process.cpuUsage(begin);
  return { cpuSeconds: (user + system) / 1e6, events: simulation.events };
}

export function benchVirtualRouters(): void {
  console.log(`${ROUTERS} routers with VRRP, ${LAB_SECONDS} lab seconds; medians of ${ROUNDS}`);
  for (const [name, build] of [
    ["in pairs", inPairs],
    ["one master on a hub", onOneHub],
  ] as const) {
    const results = Array.from({ length: ROUNDS }, () => measure(build));
    const seconds = median(results.map(({ cpuSeconds }) => cpuSeconds));
    console.log(
      `  ${name.padEnd(42)}${seconds.toFixed(2).padStart(10)} s of processor time, goal ${GOAL_SECONDS}; ${results[0]!.events} events`,
    );
  }
}
