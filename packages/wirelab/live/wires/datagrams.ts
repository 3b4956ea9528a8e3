/** A UDP socket that exchanges datagrams with one address. */
import { createSocket, type Socket } from "node:dgram";
import { isIPv6 } from "node:net";
import type { SocketAddress } from "@wirelab/lab/model/outside";
import { DataError } from "../../failure.ts";

/** Bursts wait in the kernel while this process computes; the kernel grants less where its limit (net.core.rmem_max) is lower. */
const BUFFER_BYTES = 4 << 20;

export interface DatagramSocket {
  readonly socket: Socket;
  close(): Promise<void>;
}

/** @param receive called for each datagram from the host of `to`. @throws DataError if the address cannot be used. */
export async function openDatagrams(
  listen: SocketAddress,
  to: SocketAddress,
  receive: (datagram: Buffer, fromPort: number) => void,
): Promise<DatagramSocket> {
  const socket = createSocket({
    type: isIPv6(listen.host) ? "udp6" : "udp4",
    // The hosts are addresses: there is no name to look up for each datagram.
    lookup: (host, _options, done) => done(null, host, isIPv6(host) ? 6 : 4),
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("error", (error) =>
      reject(new DataError(`cannot listen at ${listen.host} port ${listen.port}: ${error.message}`)),
    );
    socket.bind(listen.port, listen.host, resolve);
  });
  socket.removeAllListeners("error");
  // A host without a listener answers with ICMP errors, which become errors of the socket; the other side may start later.
  socket.on("error", () => {});
  socket.setRecvBufferSize(BUFFER_BYTES);
  socket.setSendBufferSize(BUFFER_BYTES);
  socket.on("message", (datagram, from) => {
    if (from.address === to.host) receive(datagram, from.port);
  });
  return {
    socket,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
