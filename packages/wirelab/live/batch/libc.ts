/**
 * The calls of libc that Node has no counterpart of: many datagrams in one system call, and waiting with a resolution below a
 * millisecond. The package `koffi` makes them; it is optional, and has binaries for most systems.
 */
import { arch, platform } from "node:process";
import { getSystemErrorMessage, getSystemErrorName } from "node:util";

/** Every call returns a negative number if it fails; `errno` is the reason then. */
export interface Libc {
  socket(family: number, type: number, protocol: number): number;
  bind(fd: number, address: Uint8Array, length: number): number;
  connect(fd: number, address: Uint8Array, length: number): number;
  setsockopt(fd: number, level: number, name: number, value: Uint8Array, length: number): number;
  close(fd: number): number;
  /** @param messages an array of `struct mmsghdr`. @returns how many are filled. */
  recvmmsg(fd: number, messages: Uint8Array, count: number, flags: number, timeout: null): number;
  /** @param messages an array of `struct mmsghdr`. @returns how many are sent. */
  sendmmsg(fd: number, messages: Uint8Array, count: number, flags: number): number;
  /** @param fds an array of `struct pollfd`. @param timeout a `struct timespec`. @returns how many have events. */
  ppoll(fds: Uint8Array, count: number, timeout: Uint8Array, signals: null): number;
  /** @param param a `struct sched_param`. */
  sched_setscheduler(thread: number, policy: number, param: Uint8Array): number;
  errno(): number;
  /** The address of the first byte. The memory must not be one that V8 moves: make it with `fixedMemory`. */
  addressOf(memory: Uint8Array): number;
}

/** The structures have this layout in little-endian Linux with pointers of 64 bits. */
const ARCHITECTURES = ["x64", "arm64"];

let loaded: Promise<Libc | undefined> | undefined;

/** Returns undefined if the system is another one, or `koffi` is not installed. */
export function loadLibc(): Promise<Libc | undefined> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Libc | undefined> {
  if (platform !== "linux" || !ARCHITECTURES.includes(arch)) return undefined;
  try {
    const { default: koffi } = await import("koffi");
    const library = koffi.load(null);
    return {
      socket: library.func("int socket(int, int, int)"),
      bind: library.func("int bind(int, void *, uint32_t)"),
      connect: library.func("int connect(int, void *, uint32_t)"),
      setsockopt: library.func("int setsockopt(int, int, int, void *, uint32_t)"),
      close: library.func("int close(int)"),
      recvmmsg: library.func("int recvmmsg(int, void *, uint32_t, int, void *)"),
      sendmmsg: library.func("int sendmmsg(int, void *, uint32_t, int)"),
      ppoll: library.func("int ppoll(void *, unsigned long, void *, void *)"),
      sched_setscheduler: library.func("int sched_setscheduler(int, int, void *)"),
      errno: () => koffi.errno(),
      addressOf: (memory) => Number(koffi.address(memory)),
    };
  } catch {
    return undefined;
  }
}

/** Memory that stays at its address: V8 moves small buffers that it allocates itself. */
export const fixedMemory = (bytes: number): Uint8Array => new Uint8Array(new ArrayBuffer(bytes));

/** `bind EADDRINUSE: address already in use`. */
export const describeErrno = (call: string, errno: number): string =>
  `${call} ${getSystemErrorName(-errno)}: ${getSystemErrorMessage(-errno)}`;
