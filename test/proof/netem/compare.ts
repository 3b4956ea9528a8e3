/**
 * Sends the same packets through netem and through this engine, and prints both results side by side.
 *
 *     sudo node test/proof/netem/compare.ts [--packets 5000]
 *
 * Needs Linux, root, `ip`, `tc` and the kernel module sch_netem; without them it says so and succeeds. It makes two network namespaces
 * with a veth pair, and removes them.
 */
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CASES } from "./cases.ts";
import { type Measured, measure, type Seen } from "./measure.ts";
import { evenly, simulate } from "./simulate.ts";

const { values } = parseArgs({ options: { packets: { type: "string", default: "5000" } } });
const PACKETS = Number(values.packets);
const [NEAR, FAR] = [`wl-near-${process.pid}`, `wl-far-${process.pid}`];
const TRAFFIC = fileURLToPath(new URL("traffic.ts", import.meta.url));
const INTERVAL_US = 1_000;
const PAYLOAD_BYTES = 972;

/** Returns undefined if the command succeeds, else what it printed. */
function failure(command: string): string | undefined {
  const [program = "", ...args] = command.split(" ");
  const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

const SETUP = [
  `ip netns add ${NEAR}`,
  `ip netns add ${FAR}`,
  `ip -n ${NEAR} link add wire0 type veth peer name wire1 netns ${FAR}`,
  `ip -n ${NEAR} address add 192.0.2.1/24 dev wire0`,
  `ip -n ${FAR} address add 192.0.2.2/24 dev wire1`,
  `ip -n ${NEAR} link set wire0 up`,
  `ip -n ${FAR} link set wire1 up`,
  `ip netns exec ${NEAR} tc qdisc add dev wire0 root netem delay 1ms`,
];

const inside = (namespace: string, ...args: string[]) =>
  spawn("ip", ["netns", "exec", namespace, process.execPath, TRAFFIC, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });

/** Resolves with what a process prints, when it ends. */
async function output(child: ReturnType<typeof inside>): Promise<string> {
  let text = "";
  for await (const chunk of child.stdout!) text += String(chunk);
  return text;
}

async function throughNetem(settings: string): Promise<Measured> {
  // A change of a netem keeps the parameters that it does not name.
  failure(`ip netns exec ${NEAR} tc qdisc delete dev wire0 root`);
  const problem = failure(`ip netns exec ${NEAR} tc qdisc add dev wire0 root netem limit 100000 ${settings}`);
  if (problem !== undefined) throw new Error(`tc: ${problem}`);
  const receiver = inside(FAR, "receive", "192.0.2.2");
  await new Promise((resolve) => receiver.stdout!.once("data", resolve));
  const received = output(receiver);
  const sender = inside(
    NEAR,
    "send",
    "192.0.2.2",
    String(PACKETS),
    String(INTERVAL_US),
    String(PAYLOAD_BYTES),
  );
  const sentNs = JSON.parse(await output(sender)) as number[];
  const arrived = JSON.parse(await received) as Seen[];
  return measure(sentNs, arrived);
}

async function main(): Promise<void> {
  const problem = SETUP.map(failure).find((each) => each !== undefined);
  if (problem !== undefined) {
    console.log(`skipped: this machine has no netem to compare with (${problem})`);
    return;
  }
  const sentNs = evenly(PACKETS, INTERVAL_US * 1_000);
  for (const { name, tc, ours } of CASES) {
    const netem = await throughNetem(tc);
    const engine = measure(sentNs, simulate(ours, sentNs, PAYLOAD_BYTES + 42));
    console.log(`\n${name}\n  ${"".padEnd(14)}${"netem".padStart(12)}${"engine".padStart(12)}`);
    for (const key of Object.keys(netem) as (keyof Measured)[])
      console.log(
        `  ${key.padEnd(14)}${netem[key].toFixed(3).padStart(12)}${engine[key].toFixed(3).padStart(12)}`,
      );
  }
}

try {
  await main();
} finally {
  for (const namespace of [NEAR, FAR]) failure(`ip netns delete ${namespace}`);
}
