/** Measures one console call, a ping between two PCs on their own link, as the lab grows. */
import { startLocalStack } from "../../infra/local/local-stack.ts";
import { buildLab, type Call, type LabFile } from "../helpers/service/lab-file.ts";
import { type CountingProxy, startCountingProxy } from "../helpers/stores/counting-proxy.ts";
import { median } from "./engine-measure.ts";

/** Behind switches, all PCs receive each other's broadcasts: start-up traffic grows with the square of the number of PCs. */
const SIZES = { pairs: [2, 10, 100, 1_000], switches: [10, 100, 1_000] };
const CALLS = 40;
const WANTED_MS = 15;

/** Builds two PCs that ping each other, and more pairs beside them; with shape `switches`, all are on one switch. */
function labOf(size: number, shape: "pairs" | "switches"): LabFile {
  const nodes: LabFile["nodes"][number][] = Array.from({ length: size }, (_, i) => ({
    name: `PC${i + 1}`,
    node_type: "vpcs",
    properties: { startup_script: `ip 10.0.${(i + 1) >> 8}.${(i + 1) & 255}/16` },
  }));
  if (shape === "pairs") {
    const links = Array.from({ length: size / 2 }, (_, i) => ({
      ends: [
        [`PC${2 * i + 1}`, 0],
        [`PC${2 * i + 2}`, 0],
      ] as const satisfies LabFile["links"][number]["ends"],
    }));
    return { description: shape, nodes, links };
  }
  const ports = Math.ceil(size / 10);
  const mapping = (count: number) => ({
    ports_mapping: Array.from({ length: count }, (_, i) => ({
      name: `Ethernet${i}`,
      port_number: i,
      type: "access",
      vlan: 1,
    })),
  });
  nodes.push({ name: "CORE", node_type: "ethernet_switch", properties: mapping(Math.max(ports, 1)) });
  const links: LabFile["links"][number][] = [];
  for (let i = 0; i < ports; i++) {
    nodes.push({ name: `SW${i}`, node_type: "ethernet_switch", properties: mapping(11) });
    links.push({
      ends: [
        [`SW${i}`, 10],
        ["CORE", i],
      ],
    });
  }
  for (let i = 0; i < size; i++)
    links.push({
      ends: [
        [`PC${i + 1}`, 0],
        [`SW${Math.floor(i / 10)}`, i % 10],
      ],
    });
  return { description: shape, nodes, links };
}

export async function benchConsoleCalls(): Promise<void> {
  let dynamodb: CountingProxy | undefined;
  const stack = await startLocalStack({
    inMemory: true,
    port: 0,
    quiet: true,
    endpoints: async (actual) => {
      dynamodb = await startCountingProxy(actual.dynamodb);
      return { dynamodb: dynamodb.url, s3: actual.s3 };
    },
  });
  const call: Call = async (method, path, body) => {
    const response = await fetch(`${stack.url}/${stack.stage}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? {} : JSON.parse(text);
  };
  try {
    console.log(
      `\nOne console call, ping -c 5 between two PCs; medians of ${CALLS}, over HTTP, target ${WANTED_MS} ms`,
    );
    console.log(
      "  lab                                  first ms   warm ms   DynamoDB calls   capacity   start-all ms",
    );
    for (const shape of ["pairs", "switches"] as const) {
      for (const size of SIZES[shape]) await benchSize(call, shape, size, dynamodb!);
    }
  } finally {
    await stack.stop();
    dynamodb?.close();
  }
}

async function benchSize(
  call: Call,
  shape: "pairs" | "switches",
  size: number,
  dynamodb: CountingProxy,
): Promise<void> {
  const lab = await buildLab(call, labOf(size, shape), { name: `bench-${shape}-${size}-${process.pid}` });
  const startMs = await timed(() => call("POST", `${lab.path}/nodes/start`));
  const ping = () =>
    call("POST", `${lab.path}/nodes/${lab.nodes.PC1}/console`, { commands: ["ping 10.0.0.2 -c 5"] });
  const firstMs = await timed(ping);
  dynamodb.take();
  const answer = await ping();
  const { calls, capacityUnits } = dynamodb.take();
  if ((String(answer.output).match(/bytes from/g) ?? []).length !== 5)
    throw new Error(`No replies: ${answer.output}`);
  const samples: number[] = [];
  for (let i = 0; i < CALLS; i++) samples.push(await timed(ping));
  const cells = [firstMs, median(samples)].map((ms) => ms.toFixed(1).padStart(10));
  console.log(
    `  ${`${size} PCs, ${shape}`.padEnd(35)}${cells.join("")}${String(calls).padStart(17)}${capacityUnits.toFixed(1).padStart(11)}${startMs.toFixed(0).padStart(15)}`,
  );
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await run();
  return performance.now() - begin;
}
