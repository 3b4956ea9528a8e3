/**
 * Measures routers with OSPF: a torus of point-to-point links from cold to converged, and link failures after it.
 *
 *     node test/bench/routing.ts            100 and 1,000 routers
 *     node test/bench/routing.ts 32 32      a torus of 32 x 32
 */
import { parseRouterProperties, type RouterSpec } from "@wirelab/engine/devices/router/index";
import { typeCommands } from "@wirelab/engine/simulation/actions";
import { ConsoleSession } from "@wirelab/engine/simulation/console-session";
import type { LabLink, LabNode, Wire } from "@wirelab/engine/simulation/lab";
import { Simulation } from "@wirelab/engine/simulation/simulation";
import { LIMITS, START_US } from "./lab-limits.ts";

const BOOT_SECONDS = 30;
const SECONDS_BETWEEN = 60;
const FAILURES = 5;

interface Case {
  readonly rows: number;
  readonly columns: number;
  /** Processor time from cold to converged, in seconds. */
  readonly goal?: number;
  /** The same of a failure. */
  readonly failureGoal?: number;
}

const CASES: readonly Case[] = [
  { rows: 10, columns: 10, goal: 0.3 },
  { rows: 25, columns: 40, goal: 3, failureGoal: 0.1 },
];

interface Torus {
  readonly nodes: readonly LabNode[];
  readonly links: readonly LabLink[];
}

function makeTorus({ rows, columns }: Case): Torus {
  const ports: { ipv4: string; ospf: object }[][] = Array.from({ length: rows * columns }, () => []);
  const wires = ports.map(() => new Map<number, Wire>());
  const links: LabLink[] = [];
  const join = (one: number, other: number): void => {
    const id = `L${links.length}`;
    const base = 4 * links.length;
    const ends = [one, other].map((node, end) => {
      const ipv4 = `10.${base >> 16}.${(base >> 8) & 255}.${(base & 255) + end + 1}/30`;
      const port = ports[node]!.push({ ipv4, ospf: { network: "point-to-point" } }) - 1;
      wires[node]!.set(port, { linkId: id, peerId: `R${end === 0 ? other : one}` });
      return { nodeId: `R${node}`, port };
    });
    const filters = { settings: { delay: [1, 0] as [number, number] }, bpfPredicates: [] };
    links.push({ id, streamName: id, ends, filters, suspended: false });
  };
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      join(row * columns + column, row * columns + ((column + 1) % columns));
      join(row * columns + column, ((row + 1) % rows) * columns + column);
    }
  const nodes = ports.map((own, index) => ({
    id: `R${index}`,
    name: `R${index}`,
    status: "started" as const,
    spec: specOf(index, own),
    wires: wires[index]!,
  }));
  return { nodes, links };
}

function specOf(index: number, ports: readonly object[]): RouterSpec {
  const ospf = { router_id: `1.0.${index >> 8}.${index & 255}`, networks: { "10.0.0.0/8": "0" } };
  const parsed = parseRouterProperties({ ports, ospf });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return { type: "router", name: `R${index}`, mac: 0x0257_4c00_0000 + index * 256, ...parsed.config };
}

/** A router's costs to the links of the torus, by the number of the link. */
function costsOf(shown: string): Map<number, number> {
  const rows = [...shown.matchAll(/^N +10\.(\d+)\.(\d+)\.(\d+)\/30 +\[(\d+)\]/gm)];
  return new Map(
    rows.map(([, one, two, three, cost]) => [
      (Number(one) * 0x1_0000 + Number(two) * 256 + Number(three)) / 4,
      Number(cost),
    ]),
  );
}

/** How many costs are not those of a torus whose links cost 10 each. */
function wrongCosts(from: number, shown: string, { rows, columns }: Case): number {
  const costs = costsOf(shown);
  let wrong = 0;
  for (let link = 0; link < 2 * rows * columns; link++) {
    const one = link >> 1;
    const [row, column] = [Math.floor(one / columns), one % columns];
    const right = row * columns + ((column + 1) % columns);
    const below = ((row + 1) % rows) * columns + column;
    const other = link % 2 === 0 ? right : below;
    const nearest = Math.min(steps(from, one, rows, columns), steps(from, other, rows, columns));
    if (costs.get(link) !== 10 * (nearest + 1)) wrong += 1;
  }
  return wrong;
}

function steps(one: number, other: number, rows: number, columns: number): number {
  const around = (a: number, b: number, size: number): number =>
    Math.min(Math.abs(a - b), size - Math.abs(a - b));
  return (
    around(Math.floor(one / columns), Math.floor(other / columns), rows) +
    around(one % columns, other % columns, columns)
  );
}

const cpuSeconds = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
};

function measure(of: Case): void {
  const { nodes, links } = makeTorus(of);
  const begin = process.cpuUsage();
  const durationNs = (BOOT_SECONDS + FAILURES * SECONDS_BETWEEN) * 1e9;
  const simulation = new Simulation({
    startUs: START_US,
    seed: "bench",
    limits: LIMITS,
    durationNs,
    makeTap: () => undefined,
  });
  for (const node of nodes) simulation.addNode(node);
  for (const link of links) simulation.addLink(link);
  const marks: number[] = [];
  const sessions = nodes
    .map((_, index) => index)
    .filter((index) => index % Math.max(1, nodes.length >> 5) === 0)
    .map((index) => [index, new ConsoleSession(`R${index}`, ["show ip ospf route"])] as const);
  const at = (seconds: number, perform: () => void): void =>
    simulation.schedule(seconds * 1e9, { kind: "other", nodes: [], links: [], perform });
  at(BOOT_SECONDS - 2, () => marks.push(cpuSeconds(begin)));
  for (const [, session] of sessions) simulation.schedule((BOOT_SECONDS - 1) * 1e9, typeCommands(session));
  at(BOOT_SECONDS - 0.5, () => marks.push(cpuSeconds(begin)));
  for (let index = 0; index < FAILURES; index++) {
    const link = links[(index * 97) % links.length]!;
    at(BOOT_SECONDS + index * SECONDS_BETWEEN, () => {
      for (const { nodeId, port } of link.ends)
        simulation.nodes.get(nodeId)!.device!.linkChanged?.(port, false);
    });
  }
  if (simulation.advance()) throw new Error("the lab is not whole");
  const all = cpuSeconds(begin);
  const wrong = sessions.reduce((sum, [index, { output }]) => sum + wrongCosts(index, output, of), 0);
  const [cold, checked] = marks as [number, number];
  const each = (all - checked) / FAILURES;
  const beside = (goal: number | undefined): string => (goal === undefined ? "" : ` (goal ${goal})`);
  console.log(
    `${nodes.length} routers, ${links.length} links: cold ${cold.toFixed(2)} s${beside(of.goal)}; ` +
      `a failure and ${SECONDS_BETWEEN} s ${each.toFixed(2)} s${beside(of.failureGoal)}; wrong distances ${wrong}; ` +
      `events ${simulation.events}; ${Math.round(process.memoryUsage().rss / 1e6)} MB; digest ${simulation.digest.slice(0, 16)}`,
  );
}

const [rows, columns] = process.argv.slice(2).map(Number);
for (const each of rows && columns ? [{ rows, columns }] : CASES) measure(each);
