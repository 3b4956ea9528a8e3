/** A VXLAN tunnel (RFC 7348): the frame follows a header of 8 bytes. */
import type { SocketAddress } from "@wirelab/lab/model/outside";
import type { Network } from "./network.ts";
import { MIN_FRAME_BYTES, type Receive, type Wire } from "./wire.ts";

const HEADER_BYTES = 8;
/** The flag I of RFC 7348, section 5: the header has a network identifier. */
const HAS_VNI = 0x08;

/** Datagrams of other networks are ignored. The peer chooses its source port for each flow. @throws DataError like `openUdp`. */
export async function openVxlan(
  network: Network,
  vni: number,
  listen: SocketAddress,
  to: SocketAddress,
  receive: Receive,
): Promise<Wire> {
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = HAS_VNI;
  header.writeUIntBE(vni, 4, 3);
  const socket = await network.open({
    listen,
    to,
    onlyFromPort: false,
    receive(datagram) {
      if (datagram.length < HEADER_BYTES + MIN_FRAME_BYTES) return;
      if (((datagram[0] as number) & HAS_VNI) === 0 || datagram.readUIntBE(4, 3) !== vni) return;
      receive(datagram.subarray(HEADER_BYTES));
    },
  });
  return { send: (frame) => socket.send(header, frame), close: () => socket.close() };
}
