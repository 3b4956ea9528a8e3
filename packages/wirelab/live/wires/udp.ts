/** A wire with a frame in each datagram: plain Ethernet over UDP, as the tunnels between the nodes of this interface. */
import type { SocketAddress } from "@wirelab/lab/model/outside";
import type { Network } from "./network.ts";
import { MIN_FRAME_BYTES, type Receive, type Wire } from "./wire.ts";

const NO_HEADER = new Uint8Array(0);

/** @throws DataError if an address cannot be used. */
export async function openUdp(
  network: Network,
  listen: SocketAddress,
  to: SocketAddress,
  receive: Receive,
): Promise<Wire> {
  const socket = await network.open({
    listen,
    to,
    onlyFromPort: true,
    receive(datagram) {
      if (datagram.length >= MIN_FRAME_BYTES) receive(datagram);
    },
  });
  return { send: (frame) => socket.send(NO_HEADER, frame), close: () => socket.close() };
}
