/** Sockets of Node: a system call for each datagram, and timers with a resolution of a millisecond. They work on every system. */
import { createSocket, type Socket } from "node:dgram";
import { isIPv6 } from "node:net";
import { DataError } from "../../failure.ts";
import { SystemTime } from "../real-time.ts";
import { BUFFER_BYTES, type Network, type SocketOptions } from "./network.ts";

export const makeNodeNetwork = (): Network => ({
  name: "one datagram in each system call",
  time: new SystemTime(),
  open: openSocket,
});

async function openSocket({ listen, to, onlyFromPort, receive }: SocketOptions) {
  const socket = createSocket({
    type: isIPv6(listen.host) ? "udp6" : "udp4",
    // The hosts are addresses: there is no name to look up for each datagram.
    lookup: (host, _options, done) => done(null, host, isIPv6(host) ? 6 : 4),
  });
  await settle(socket, `listen at ${listen.host} port ${listen.port}`, (done) =>
    socket.bind(listen.port, listen.host, done),
  );
  // The kernel then keeps the address, and ignores datagrams of others.
  if (onlyFromPort)
    await settle(socket, `send to ${to.host} port ${to.port}`, (done) =>
      socket.connect(to.port, to.host, done),
    );
  // A host without a listener answers with ICMP errors, which become errors of the socket; the other side may start later.
  socket.on("error", () => {});
  socket.setRecvBufferSize(BUFFER_BYTES);
  socket.setSendBufferSize(BUFFER_BYTES);
  socket.on("message", (datagram, from) => {
    if (from.address === to.host && (from.port === to.port || !onlyFromPort)) receive(datagram);
  });
  return {
    send(header: Uint8Array, frame: Uint8Array): void {
      const datagram = header.length === 0 ? frame : [header, frame];
      if (onlyFromPort) socket.send(datagram);
      else socket.send(datagram, to.port, to.host);
    },
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

/** Waits for a call whose failure is either an event or an argument. */
async function settle(socket: Socket, what: string, call: (done: (error?: unknown) => void) => void) {
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      call((error) => (error instanceof Error ? reject(error) : resolve()));
    });
  } catch (error) {
    socket.removeAllListeners("error");
    socket.close();
    throw new DataError(`cannot ${what}: ${(error as Error).message}`);
  }
  socket.removeAllListeners("error");
}
