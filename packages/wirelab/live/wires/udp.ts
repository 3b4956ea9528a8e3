/** A wire with a frame in each datagram: plain Ethernet over UDP, as the tunnels between the nodes of this interface. */
import type { SocketAddress } from "@wirelab/lab/model/outside";
import { openDatagrams } from "./datagrams.ts";
import { MIN_FRAME_BYTES, type Receive, type Wire } from "./wire.ts";

/** @throws DataError if the address to listen at cannot be used. */
export async function openUdp(listen: SocketAddress, to: SocketAddress, receive: Receive): Promise<Wire> {
  const { socket, close } = await openDatagrams(listen, to, (datagram, fromPort) => {
    if (fromPort === to.port && datagram.length >= MIN_FRAME_BYTES) receive(datagram);
  });
  // The kernel then keeps the address, and ignores datagrams of others.
  await new Promise<void>((resolve) => socket.connect(to.port, to.host, resolve));
  return { send: (frame) => socket.send(frame), close };
}
