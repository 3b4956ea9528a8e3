/** TCP between two kernels through a live link: two network namespaces with a VXLAN interface each. Needs root. */
import { fileURLToPath } from "node:url";
import { Namespaces, obstacle, untilPrinted } from "../helpers/live/namespaces.ts";

const CLI = fileURLToPath(new URL("../../packages/wirelab/wirelab.js", import.meta.url));
const PORT = 5_000;
const SECONDS = 5;
/** Bytes of the first second are not counted. */
const WARM_UP_MS = 1_000;
/** What VXLAN adds to the inner packet: Ethernet, VXLAN, UDP and IP headers. */
const OVERHEAD_BYTES = 50;

const RECEIVER = `
  require("node:net").createServer((socket) => {
    const startMs = performance.now();
    let [bytes, fromMs] = [0, 0];
    socket.on("data", (data) => {
      const nowMs = performance.now();
      if (nowMs - startMs < ${WARM_UP_MS}) return;
      fromMs ||= nowMs;
      bytes += data.length;
    });
    socket.on("end", () => { console.log("mbps " + (bytes * 8 / (performance.now() - fromMs) / 1000).toFixed(0) + " end"); process.exit(); });
    socket.on("error", () => process.exit(1));
  }).listen(${PORT}, "10.1.0.2", () => console.log("ready"));
`;

const SENDER = `
  const socket = require("node:net").connect(${PORT}, "10.1.0.2");
  const block = Buffer.alloc(262144);
  const untilMs = performance.now() + ${SECONDS * 1_000};
  const fill = () => {
    while (performance.now() < untilMs) if (!socket.write(block)) return void socket.once("drain", fill);
    socket.end();
  };
  socket.once("connect", fill);
  socket.resume();
`;

/** @returns megabits per second, as the receiver counts them. */
async function measure(mtu: number): Promise<string> {
  const spaces = new Namespaces("lab", "a", "b");
  try {
    for (const [name, net] of [
      ["a", 1],
      ["b", 2],
    ] as const) {
      spaces.join(["lab", `to${name}`], [name, "u0"], net);
      spaces.run("lab", "ip", "link", "set", `to${name}`, "mtu", String(mtu + OVERHEAD_BYTES));
      spaces.run(name, "ip", "link", "set", "u0", "mtu", String(mtu + OVERHEAD_BYTES));
      spaces.addVxlan(name, net, 6 + net, `10.1.0.${net}/24`);
      spaces.run(name, "ip", "link", "set", "eth0", "mtu", String(mtu));
    }
    const ends = ["vxlan:7,10.99.1.1,10.99.1.2", "vxlan:8,10.99.2.1,10.99.2.2"];
    await untilPrinted(spaces.start("lab", process.execPath, CLI, "link", "--live", ...ends), "b: VXLAN 8");
    const receiver = spaces.start("b", process.execPath, "-e", RECEIVER);
    await untilPrinted(receiver, "ready");
    const counted = untilPrinted(receiver, " end");
    spaces.start("a", process.execPath, "-e", SENDER);
    return /mbps (\d+)/.exec(await counted)![1]!;
  } finally {
    await spaces.end();
  }
}

/** Prints one line for each size of packets. */
export async function benchTcp(): Promise<void> {
  const why = obstacle();
  if (why !== undefined) {
    console.log(`TCP is not measured: ${why}`);
    return;
  }
  for (const mtu of [1_500, 9_000])
    console.log(`TCP between two namespaces over VXLAN, MTU ${mtu}: ${await measure(mtu)} Mb/s`);
}
