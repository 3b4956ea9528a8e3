/** UDP sockets, and the time that passes between their datagrams: what a live lab needs of the machine. */
import type { SocketAddress } from "@wirelab/lab/model/outside";
import type { RealTime } from "../real-time.ts";

export interface Network {
  /** Names the implementation to the user. */
  readonly name: string;
  readonly time: RealTime;
  /** @throws DataError if an address cannot be used. */
  open(options: SocketOptions): Promise<DatagramSocket>;
}

export interface SocketOptions {
  readonly listen: SocketAddress;
  readonly to: SocketAddress;
  /** Whether datagrams from other ports of the peer's host are ignored. Those from other hosts always are. */
  readonly onlyFromPort: boolean;
  /** Called for each datagram from the peer. Its buffer is not used again. */
  readonly receive: (datagram: Buffer) => void;
}

export interface DatagramSocket {
  /** Sends the header and the frame as one datagram. One that the network does not take is lost. */
  send(header: Uint8Array, frame: Uint8Array): void;
  close(): Promise<void>;
}

/** Bursts wait in the kernel while this process computes; the kernel grants less where its limit (net.core.rmem_max) is lower. */
export const BUFFER_BYTES = 4 << 20;
