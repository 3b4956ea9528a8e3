/**
 * Creates and starts nodes on one real compute, through this service and through a gns3-server that is the compute's controller, in turns:
 * `npm run bench:computes`. Prints the medians and their ratio. Needs the programs that test/computes/fetch.sh builds.
 */
import { computePrograms, NEEDED } from "../helpers/rig/programs.ts";
import { type Account, startCompute } from "../helpers/rig/real-compute.ts";
import { Rig } from "../helpers/rig/rig.ts";

const ROUNDS = 9;

interface Created {
  readonly project_id: string;
  readonly node_id: string;
}

/** Calls an HTTP interface of this kind. @returns the body, and how long the call took. */
type Timed = (method: string, path: string, body?: unknown) => Promise<{ json: Created; ms: number }>;

const timed =
  (base: string, account?: Account): Timed =>
  async (method, path, body) => {
    const begin = performance.now();
    const response = await fetch(`${base}${path}`, {
      method,
      headers: account ? { authorization: `Basic ${btoa(`${account.user}:${account.password}`)}` } : {},
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const ms = performance.now() - begin;
    if (!response.ok) throw new Error(`${method} ${base}${path}: ${response.status} ${text}`);
    return { json: text === "" ? {} : JSON.parse(text), ms };
  };

interface Side {
  readonly name: string;
  readonly call: Timed;
  readonly nodes: string;
  readonly createMs: number[];
  readonly startMs: number[];
}

async function prepare(name: string, call: Timed): Promise<Side> {
  const { json } = await call("POST", "/projects", { name: "bench" });
  return { name, call, nodes: `/projects/${json.project_id}/nodes`, createMs: [], startMs: [] };
}

async function measure(
  { call, nodes, createMs, startMs }: Side,
  compute_id: string,
  round: number,
): Promise<void> {
  const body = { name: `PC${round}`, node_type: "vpcs", compute_id };
  const created = await call("POST", nodes, body);
  createMs.push(created.ms);
  const node = `${nodes}/${created.json.node_id}`;
  startMs.push((await call("POST", `${node}/start`)).ms);
  await call("POST", `${node}/stop`);
  await call("DELETE", node);
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

if (computePrograms === undefined) {
  console.error(`bench:computes is ${NEEDED}`);
  process.exit(1);
}
const [rig, controller] = await Promise.all([Rig.start(1), startCompute(computePrograms)]);
try {
  const [compute] = rig.computes;
  const [compute_id] = rig.ids;
  const direct = timed(`http://${controller.host}:${controller.port}/v2`, controller.account);
  const { host, port, account } = compute!;
  await direct("POST", "/computes", { compute_id, protocol: "http", host, port, ...account });
  const sides = [await prepare("gns3-server", direct), await prepare("Wirelab", timed(rig.url))];
  // The first round loads code.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const side of sides) await measure(side, compute_id!, round);
    if (round > 0) continue;
    for (const { createMs, startMs } of sides) createMs.length = startMs.length = 0;
  }
  for (const { name, createMs, startMs } of sides)
    console.log(`${name}: create ${median(createMs).toFixed(1)} ms, start ${median(startMs).toFixed(1)} ms`);
  const sums = sides.map(({ createMs, startMs }) => median(createMs) + median(startMs));
  console.log(`create and start, Wirelab / gns3-server: ${(sums[1]! / sums[0]!).toFixed(2)}`);
} finally {
  await Promise.all([rig.stop(), controller.remove()]);
}
