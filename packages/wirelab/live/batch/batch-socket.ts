/** A UDP socket that receives and sends many datagrams with one system call. */
import { constants } from "node:os";
import { DataError } from "../../failure.ts";
import { BUFFER_BYTES, type DatagramSocket, type SocketOptions } from "../wires/network.ts";
import { describeErrno, fixedMemory, type Libc } from "./libc.ts";
import { Messages, NAME_BYTES } from "./messages.ts";
import { familyOf, isFrom, toSockaddr } from "./sockaddr.ts";

// socket(2), socket(7)
const SOCK_DGRAM_NONBLOCK_CLOEXEC = 2 | 0o4000 | 0o2000000;
const SOL_SOCKET = 1;
const SO_SNDBUF = 7;
const SO_RCVBUF = 8;
const MSG_DONTWAIT = 0x40;
/** As root, the buffer may be larger than the limit of the system. */
const SO_SNDBUFFORCE = 32;
const SO_RCVBUFFORCE = 33;
const { EAGAIN, EINTR, ENOBUFS } = constants.errno;

/** The longest datagram of IP is shorter. */
const MAX_DATAGRAM_BYTES = 65_536;
const BATCH = 64;
/** So many batches are received before the lab sends, so that a flood from one side does not stop the other. */
const BATCHES_IN_A_TURN = 4;
/** The room for datagrams that wait to be sent. */
const SEND_BYTES = 1 << 20;
/** So long the kernel is given to send what fills its buffer. */
const SEND_WAIT_MS = 2;

export class BatchSocket implements DatagramSocket {
  readonly fd: number;
  readonly #libc: Libc;
  readonly #options: SocketOptions;
  readonly #peer: Uint8Array;
  readonly #incoming: Messages;
  readonly #outgoing: Messages;
  readonly #closed: (socket: BatchSocket) => void;
  readonly #waitToSend: (fd: number, ms: number) => void;
  #waiting = 0;
  #waitingBytes = 0;
  #isOpen = true;

  /** @throws DataError if an address cannot be used. */
  constructor(
    libc: Libc,
    options: SocketOptions,
    loop: { closed(socket: BatchSocket): void; waitToSend(fd: number, ms: number): void },
  ) {
    this.#libc = libc;
    this.#options = options;
    this.#closed = (socket) => loop.closed(socket);
    this.#waitToSend = (fd, ms) => loop.waitToSend(fd, ms);
    const { listen, to, onlyFromPort } = options;
    const own = toSockaddr(listen)!;
    this.#peer = toSockaddr(to)!;
    const listening = `listen at ${listen.host} port ${listen.port}`;
    this.fd = libc.socket(familyOf(own), SOCK_DGRAM_NONBLOCK_CLOEXEC, 0);
    this.#check(this.fd, listening, "socket");
    this.#check(libc.bind(this.fd, own, own.length), listening, "bind");
    if (onlyFromPort) {
      const connected = libc.connect(this.fd, this.#peer, this.#peer.length);
      this.#check(connected, `send to ${to.host} port ${to.port}`, "connect");
    }
    this.#enlarge(SO_RCVBUFFORCE, SO_RCVBUF);
    this.#enlarge(SO_SNDBUFFORCE, SO_SNDBUF);
    this.#incoming = new Messages(libc, BATCH, BATCH * MAX_DATAGRAM_BYTES);
    for (let index = 0; index < BATCH; index++) {
      this.#incoming.place(index, index * MAX_DATAGRAM_BYTES, MAX_DATAGRAM_BYTES);
      this.#incoming.setNameLength(index, NAME_BYTES);
    }
    this.#outgoing = new Messages(libc, BATCH, SEND_BYTES);
    for (let index = 0; index < BATCH; index++) {
      if (onlyFromPort) this.#outgoing.setNameLength(index, 0);
      else this.#outgoing.setName(index, this.#peer);
    }
  }

  /** Passes on what has arrived, up to some batches. */
  receive(): void {
    for (let round = 0; round < BATCHES_IN_A_TURN && this.#isOpen; round++) {
      const { headers } = this.#incoming;
      const count = this.#libc.recvmmsg(this.fd, headers, BATCH, MSG_DONTWAIT, null);
      // Nothing is there, or the kernel reports, once, the ICMP error of an earlier datagram: the other side may start later.
      for (let index = 0; index < count; index++) this.#take(index);
      if (count < BATCH) return;
    }
  }

  send(header: Uint8Array, frame: Uint8Array): void {
    const bytes = header.length + frame.length;
    if (bytes > MAX_DATAGRAM_BYTES || !this.#isOpen) return;
    if (this.#waiting === BATCH || this.#waitingBytes + bytes > SEND_BYTES) this.flush();
    const { data } = this.#outgoing;
    data.set(header, this.#waitingBytes);
    data.set(frame, this.#waitingBytes + header.length);
    this.#outgoing.place(this.#waiting, this.#waitingBytes, bytes);
    this.#waiting += 1;
    this.#waitingBytes += bytes;
  }

  /** Sends what waits. Datagrams that the kernel does not take are lost. */
  flush(): void {
    let refusals = 0;
    for (let sent = 0; sent < this.#waiting; ) {
      const left = this.#waiting - sent;
      const count = this.#libc.sendmmsg(this.fd, this.#outgoing.headersFrom(sent), left, MSG_DONTWAIT);
      if (count > 0) {
        sent += count;
        refusals = 0;
        continue;
      }
      const errno = this.#libc.errno();
      refusals += 1;
      if (errno === EAGAIN || errno === ENOBUFS) {
        if (refusals > 1) break;
        this.#waitToSend(this.fd, SEND_WAIT_MS);
      }
      // The first error may be that of an earlier datagram, whose host refused it; the second is that of this one.
      if (refusals > 1 && errno !== EINTR) {
        sent += 1;
        refusals = 0;
      }
    }
    this.#waiting = 0;
    this.#waitingBytes = 0;
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.flush();
    this.#isOpen = false;
    this.#libc.close(this.fd);
    this.#closed(this);
  }

  #take(index: number): void {
    const { names, data } = this.#incoming;
    const isPeer = isFrom(this.#peer, this.#options.onlyFromPort, names, index * NAME_BYTES);
    this.#incoming.setNameLength(index, NAME_BYTES);
    if (!isPeer) return;
    const offset = index * MAX_DATAGRAM_BYTES;
    this.#options.receive(Buffer.from(data.subarray(offset, offset + this.#incoming.lengthOf(index))));
  }

  #check(result: number, what: string, call: string): void {
    if (result >= 0) return;
    const errno = this.#libc.errno();
    if (this.fd >= 0) this.#libc.close(this.fd);
    throw new DataError(`cannot ${what}: ${describeErrno(call, errno)}`);
  }

  #enlarge(forced: number, allowed: number): void {
    const value = fixedMemory(4);
    new DataView(value.buffer).setInt32(0, BUFFER_BYTES, true);
    if (this.#libc.setsockopt(this.fd, SOL_SOCKET, forced, value, value.length) < 0)
      this.#libc.setsockopt(this.fd, SOL_SOCKET, allowed, value, value.length);
  }
}
