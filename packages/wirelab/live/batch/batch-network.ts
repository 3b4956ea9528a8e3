/**
 * Sockets with batches of datagrams, and time with a resolution below a millisecond. Each turn of Node's event loop has one turn of
 * this loop:
 *
 *     wait for datagrams, or for the next frame that is due -> receive batches -> the lab -> send batches
 *
 * It waits in `ppoll` instead of Node's own wait, and never longer than MAX_WAIT_NS: what Node waits for itself (signals, standard
 * input, socat) comes at most so late.
 */
import type { RealTime } from "../real-time.ts";
import type { DatagramSocket, Network, SocketOptions } from "../wires/network.ts";
import { BatchSocket } from "./batch-socket.ts";
import { fixedMemory, type Libc } from "./libc.ts";

const NS_PER_MS = 1_000_000;
const MAX_WAIT_NS = 10 * NS_PER_MS;
/** The kernel wakes a process some time after the end of its wait, so for the last of it this loop turns without waiting. */
const SPIN_NS = 300_000;

// poll(2): struct pollfd is the file descriptor, then the events asked for, then those that are there.
const POLLFD_BYTES = 8;
const EVENTS_OFFSET = 4;
const RETURNED_OFFSET = 6;
const POLLIN = 1;
const POLLOUT = 4;
/** `struct timespec`: seconds, then nanoseconds, each of 64 bits. */
const TIMESPEC_BYTES = 16;
const NANOSECONDS_OFFSET = 8;

export class BatchNetwork implements Network, RealTime {
  readonly name = "batches of datagrams";
  readonly time: RealTime = this;
  readonly #libc: Libc;
  readonly #sockets: BatchSocket[] = [];
  #pollfds = new DataView(new ArrayBuffer(0));
  readonly #timeout = new DataView(fixedMemory(TIMESPEC_BYTES).buffer);
  readonly #turn = (): void => this.#run();
  #isTurning = false;
  #dueNs = Number.POSITIVE_INFINITY;
  #call: () => void = () => {};

  constructor(libc: Libc) {
    this.#libc = libc;
  }

  async open(options: SocketOptions): Promise<DatagramSocket> {
    const socket = new BatchSocket(this.#libc, options, this);
    this.#sockets.push(socket);
    this.#listSockets();
    this.#start();
    return socket;
  }

  closed(socket: BatchSocket): void {
    this.#sockets.splice(this.#sockets.indexOf(socket), 1);
    this.#listSockets();
  }

  waitToSend(fd: number, ms: number): void {
    this.#poll(makePollfds([fd], POLLOUT), ms * NS_PER_MS);
  }

  nowNs(): number {
    return Math.floor(performance.now() * NS_PER_MS);
  }

  wakeAt(atNs: number, call: () => void): void {
    this.#dueNs = atNs;
    this.#call = call;
    this.#start();
  }

  cancel(): void {
    this.#dueNs = Number.POSITIVE_INFINITY;
  }

  #start(): void {
    if (this.#isTurning) return;
    this.#isTurning = true;
    setImmediate(this.#turn);
  }

  #run(): void {
    this.#isTurning = false;
    this.#flush();
    const waitNs = Math.min(this.#dueNs - this.nowNs() - SPIN_NS, MAX_WAIT_NS);
    const ready = this.#poll(this.#pollfds, Math.max(waitNs, 0));
    if (ready > 0) this.#receive();
    if (this.#dueNs <= this.nowNs()) {
      this.cancel();
      this.#call();
    }
    this.#flush();
    if (this.#sockets.length > 0 || this.#dueNs < Number.POSITIVE_INFINITY) this.#start();
  }

  /** A call may close sockets: the list is another one then. */
  #receive(): void {
    const pollfds = this.#pollfds;
    const sockets = [...this.#sockets];
    for (const [index, socket] of sockets.entries())
      if (pollfds.getUint16(index * POLLFD_BYTES + RETURNED_OFFSET, true) !== 0) socket.receive();
  }

  #flush(): void {
    for (const socket of this.#sockets) socket.flush();
  }

  #listSockets(): void {
    this.#pollfds = makePollfds(
      this.#sockets.map(({ fd }) => fd),
      POLLIN,
    );
  }

  /** @returns how many have events; a signal ends the wait, and Node then handles it. */
  #poll(pollfds: DataView<ArrayBuffer>, waitNs: number): number {
    this.#timeout.setUint32(NANOSECONDS_OFFSET, waitNs, true);
    const fds = new Uint8Array(pollfds.buffer);
    const timeout = new Uint8Array(this.#timeout.buffer);
    return this.#libc.ppoll(fds, fds.length / POLLFD_BYTES, timeout, null);
  }
}

function makePollfds(fds: readonly number[], events: number): DataView<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(fds.length * POLLFD_BYTES));
  for (const [index, fd] of fds.entries()) {
    view.setInt32(index * POLLFD_BYTES, fd, true);
    view.setUint16(index * POLLFD_BYTES + EVENTS_OFFSET, events, true);
  }
  return view;
}
