/**
 * A live link between two UDP sockets, beside uBridge and a plain forwarder on the same machine: `npm run bench:live`. Without the programs
 * that test/computes/fetch.sh builds, the lines of uBridge are missing. The sender is this process, so
 * the two share the machine's processors with it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { openNetwork } from "../../packages/wirelab/live/open-network.ts";
import type { RealTime } from "../../packages/wirelab/live/real-time.ts";
import type { DatagramSocket } from "../../packages/wirelab/live/wires/network.ts";
import { computePrograms } from "../helpers/rig/programs.ts";
import { FRAME_BYTES, NUMBER_OFFSET, TIME_OFFSET } from "./live-frame.ts";
import { benchTcp } from "./live-tcp.ts";
import { canWatchWire, watchWire } from "./live-wire.ts";

const CLI = new URL("../../packages/wirelab/wirelab.js", import.meta.url).pathname;
const HOST = "127.0.0.1";
const at = (port: number) => ({ host: HOST, port });
const NO_HEADER = new Uint8Array(0);
/** So many packets are sent at once at most. */
const BURST = 64;
const SECONDS = 3;
/** Packets of the first second are not counted: V8 compiles the code meanwhile. */
const WARM_UP_SECONDS = 1;
/** The time that the receiver has to start. */
const START_MS = 500;
/** Up to this rate, the sender sleeps between packets, so that it leaves a processor to the receiver. */
const MOST_ASLEEP = 20_000;

interface Ports {
  /** Where the sender's packets enter the link. */
  readonly enter: number;
  readonly sender: number;
  readonly leave: number;
  readonly receiver: number;
}
const PORTS: Ports = { enter: 42_001, sender: 42_002, leave: 42_003, receiver: 42_004 };

interface Result {
  readonly sent: number;
  readonly arrived: number;
  /** Delays of the packets that arrived, ascending, in milliseconds. */
  readonly delaysMs: Float64Array;
  /** The same from the kernel's times of the packets; undefined at rates that tcpdump cannot follow beside the others. */
  readonly wireMs: Float64Array | undefined;
}

/** Sends packets with their times at a rate, and measures when they arrive. The receiver is a thread of its own. */
async function measure(rate: number): Promise<Result> {
  const beginMs = performance.timeOrigin + performance.now() + START_MS;
  const fromMs = beginMs + WARM_UP_SECONDS * 1_000;
  const receiver = new Worker(new URL("./live-receiver.ts", import.meta.url), {
    workerData: { listen: at(PORTS.receiver), to: at(PORTS.leave), fromMs },
  });
  await new Promise((resolve) => receiver.once("message", resolve));
  const network = await openNetwork([]);
  const socket = await network.open({
    listen: at(PORTS.sender),
    to: at(PORTS.enter),
    onlyFromPort: true,
    receive() {},
  });
  const watch =
    canWatchWire && rate <= MOST_ASLEEP ? await watchWire(PORTS.enter, PORTS.receiver) : undefined;
  const sent = await sendAt(socket, network.time, rate, beginMs, fromMs);
  await sleep(500);
  const wireMs = await watch?.stop(WARM_UP_SECONDS * rate);
  const delays = new Promise<Float64Array>((resolve) => receiver.once("message", resolve));
  receiver.postMessage("end");
  const delaysMs = await delays;
  await Promise.all([socket.close(), receiver.terminate()]);
  return { sent, arrived: delaysMs.length, delaysMs, wireMs };
}

/** @returns how many packets were sent from `fromMs` on. */
function sendAt(
  socket: DatagramSocket,
  time: RealTime,
  rate: number,
  beginMs: number,
  fromMs: number,
): Promise<number> {
  let sent = 0;
  let counted = 0;
  const frame = Buffer.alloc(FRAME_BYTES);
  return new Promise((resolve) => {
    const step = (): void => {
      const elapsedMs = performance.timeOrigin + performance.now() - beginMs;
      if (elapsedMs >= (WARM_UP_SECONDS + SECONDS) * 1_000) {
        resolve(counted);
        return;
      }
      const due = Math.min((elapsedMs / 1_000) * rate, sent + BURST);
      for (; sent < due; sent++) {
        const nowMs = performance.timeOrigin + performance.now();
        frame.writeDoubleLE(nowMs, TIME_OFFSET);
        frame.writeUInt32LE(sent, NUMBER_OFFSET);
        socket.send(NO_HEADER, frame);
        if (nowMs >= fromMs) counted += 1;
      }
      time.wakeAt(time.nowNs() + (rate <= MOST_ASLEEP ? 1_000_000 : 0), step);
    };
    step();
  });
}

interface Bridge {
  readonly name: string;
  start(delayMs: number): Promise<ChildProcess>;
}

const makeOurs = (name: string, flags: readonly string[]): Bridge => ({
  name,
  async start(delayMs) {
    const ends = [
      `udp:${HOST}:${PORTS.enter},${HOST}:${PORTS.sender}`,
      `udp:${HOST}:${PORTS.leave},${HOST}:${PORTS.receiver}`,
    ];
    const filters = delayMs > 0 ? ["--filter", `delay=${delayMs}`] : [];
    const child = spawn(process.execPath, [CLI, "link", "--live", ...flags, ...filters, ...ends], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    for await (const text of child.stdout) if (String(text).includes("b: UDP")) break;
    return child;
  },
});
const ours = makeOurs("wirelab", []);
/** Root may ask for real-time scheduling. */
const inRealTime = process.getuid?.() === 0 ? [makeOurs("real-time", ["--real-time"])] : [];

/** Two sockets of Node without filters and without an engine. */
const forwarder: Bridge = {
  name: "node:dgram",
  async start() {
    const program = `
      const { createSocket } = require("node:dgram");
      const [a, b] = [1, 2].map(() => createSocket({ type: "udp4", recvBufferSize: 4194304 }));
      a.on("message", (data) => b.send(data)).on("error", () => {});
      b.on("message", (data) => a.send(data)).on("error", () => {});
      a.bind(${PORTS.enter}, "${HOST}", () => a.connect(${PORTS.sender}, "${HOST}", () =>
        b.bind(${PORTS.leave}, "${HOST}", () => b.connect(${PORTS.receiver}, "${HOST}", () => console.log("ready")))));
    `;
    const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    return child;
  },
};

const CONTROL_PORT = 42_005;

/** uBridge takes commands at a TCP port and answers each with a line that begins with a number. */
const ubridge: Bridge = {
  name: "uBridge",
  async start(delayMs) {
    const child = spawn(computePrograms!.ubridge, ["-H", `${HOST}:${CONTROL_PORT}`], { stdio: "ignore" });
    await sleep(500);
    const control = connect(CONTROL_PORT, HOST);
    const commands = [
      "bridge create b",
      `bridge add_nio_udp b ${PORTS.enter} ${HOST} ${PORTS.sender}`,
      `bridge add_nio_udp b ${PORTS.leave} ${HOST} ${PORTS.receiver}`,
      ...(delayMs > 0 ? [`bridge add_packet_filter b f delay ${delayMs} 0`] : []),
      "bridge start b",
    ];
    for (const command of commands) {
      control.write(`${command}\n`);
      const answer = String(await new Promise((resolve) => control.once("data", resolve)));
      if (!/^1\d\d-/.test(answer)) throw new Error(`uBridge: ${command}: ${answer}`);
    }
    control.end();
    return child;
  },
};

const percentile = (sorted: Float64Array, share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;

async function bench(bridge: Bridge, delayMs: number, rate: number): Promise<void> {
  const child = await bridge.start(delayMs);
  try {
    const { sent, arrived, delaysMs, wireMs } = await measure(rate);
    const beyond = (delays: Float64Array) =>
      [0.5, 0.99].map((share) => (percentile(delays, share) - delayMs).toFixed(3));
    const [p50, p99] = beyond(delaysMs);
    const wire =
      wireMs === undefined ? "" : `; on the wire: p50 ${beyond(wireMs)[0]} ms, p99 ${beyond(wireMs)[1]} ms`;
    console.log(
      `${bridge.name.padEnd(10)} delay ${delayMs} ms, ${rate}/s offered: sent ${Math.round(sent / SECONDS)}/s, ` +
        `arrived ${Math.round(arrived / SECONDS)}/s (${((100 * arrived) / sent).toFixed(1)} %), ` +
        `beyond the delay: p50 ${p50} ms, p99 ${p99} ms${wire}`,
    );
  } finally {
    child.kill();
    await sleep(300);
  }
}

const DELAYED = [
  [10, 1_000],
  [10, 10_000],
] as const;
const PLAIN = [
  [0, 20_000],
  [0, 100_000],
  [0, 150_000],
] as const;

console.log(`sender and receiver: ${(await openNetwork([])).name}`);
for (const bridge of [ours, ...inRealTime, ...(computePrograms ? [ubridge] : [])])
  for (const [delayMs, rate] of [...DELAYED, ...PLAIN]) await bench(bridge, delayMs, rate);
for (const [delayMs, rate] of PLAIN) await bench(forwarder, delayMs, rate);
await benchTcp();
