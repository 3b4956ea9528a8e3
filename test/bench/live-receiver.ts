/** The receiver of live.ts, a thread of its own: sends back the delays of the packets, in milliseconds, ascending. */
import { parentPort, workerData } from "node:worker_threads";
import { openNetwork } from "../../packages/wirelab/live/open-network.ts";
import { TIME_OFFSET } from "./live-frame.ts";

const { listen, to, fromMs } = workerData;
const delays: number[] = [];
const network = await openNetwork([]);
const socket = await network.open({
  listen,
  to,
  onlyFromPort: true,
  receive(datagram) {
    const sentMs = datagram.readDoubleLE(TIME_OFFSET);
    if (sentMs >= fromMs) delays.push(performance.timeOrigin + performance.now() - sentMs);
  },
});
parentPort!.postMessage("ready");
parentPort!.once("message", async () => {
  await socket.close();
  parentPort!.postMessage(Float64Array.from(delays).sort());
});
