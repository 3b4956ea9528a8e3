/**
 * Sends or receives numbered UDP packets inside a network namespace; prints JSON. Both ends read the same monotonic clock.
 *
 *     send ADDRESS COUNT INTERVAL_US BYTES      prints the times of sending
 *     receive ADDRESS                           prints a blank line when it is ready, and what arrived when nothing has for two seconds
 */
import { createSocket } from "node:dgram";

const PORT = 9_000;
const QUIET_MS = 2_000;
const [role, address = "", count = "0", intervalUs = "0", bytes = "0"] = process.argv.slice(2);
const nowNs = (): number => Number(process.hrtime.bigint());
const socket = createSocket({ type: "udp4", recvBufferSize: 8_000_000 });

function send(): void {
  const sentNs: number[] = [];
  const startNs = nowNs();
  const next = (): void => {
    while (sentNs.length < Number(count) && nowNs() >= startNs + sentNs.length * Number(intervalUs) * 1_000) {
      const packet = Buffer.alloc(Number(bytes));
      packet.writeUInt32BE(sentNs.length);
      sentNs.push(nowNs());
      socket.send(packet, PORT, address);
    }
    if (sentNs.length < Number(count)) setImmediate(next);
    else {
      console.log(JSON.stringify(sentNs));
      setTimeout(() => socket.close(), 100);
    }
  };
  next();
}

function receive(): void {
  const arrived: { number: number; atNs: number }[] = [];
  const end = (): void => {
    socket.close();
    console.log(JSON.stringify(arrived));
  };
  let timer: NodeJS.Timeout | undefined;
  socket.on("message", (packet) => {
    arrived.push({ number: packet.readUInt32BE(), atNs: nowNs() });
    clearTimeout(timer);
    timer = setTimeout(end, QUIET_MS);
  });
  // The blank line reports that packets may come.
  socket.bind(PORT, address, () => process.stdout.write(" \n"));
}

if (role === "send") send();
else receive();
