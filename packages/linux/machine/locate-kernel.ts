/** Finds the structures of a kernel that waits: by their shape, and by how a few ticks change them. Debian's kernels have no table of such addresses. */
import { type KernelMemory, MEMORY_ADDRESS } from "./kernel-memory.ts";
import {
  CLOCK_BYTES,
  CLOCK_COUNT,
  CLOCK_INDEX_AT,
  EXPIRY_AT,
  FIRST_CLOCK_AT,
  FIRST_TIMER_AT,
  type KernelPlaces,
  NEXT_EXPIRY_AT,
  TICK_NS,
  TICKS_AT,
} from "./kernel-timers.ts";

/** A few ticks in which nothing else happens are likely among so many. */
const TRIES = 20;
const TICKS_PER_TRY = 3;
/** The structures are in the variables of one processor. */
const NEAR_BYTES = 64 * 1_024;
/** struct timer_base: a bit for each list of timers that is not empty, and the lists. */
const WHEEL_LISTS = 576;
const WHEEL_CPU_AT = 16;
const WHEEL_BITS_AT = 24;
const WHEEL_LISTS_AT = WHEEL_BITS_AT + WHEEL_LISTS / 8;
const WHEEL_BYTES = WHEEL_LISTS_AT + WHEEL_LISTS * 4;
/** In struct timer_list: where its address is stored, in the list's head for the first one. */
const STORED_AT = 4;

/** @param runSlice runs the guest until it waits again. @returns undefined if the kernel is another one. */
export function locateKernel(memory: KernelMemory, runSlice: () => void): KernelPlaces | undefined {
  const clocks = findClocks(memory);
  if (clocks === undefined) return undefined;
  const wheel = findWheel(memory, clocks);
  if (wheel === undefined) return undefined;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const tick = memory.word(clocks + FIRST_CLOCK_AT + FIRST_TIMER_AT);
    const before = readTick(memory, clocks, tick);
    const times = longsNear(memory, clocks);
    for (let slice = 0; slice < TICKS_PER_TRY; slice++) runSlice();
    const after = readTick(memory, clocks, tick);
    const ranNs = BigInt(TICKS_PER_TRY * TICK_NS);
    if (after.expiryNs - before.expiryNs !== ranNs || after.ticks - before.ticks !== TICKS_PER_TRY) continue;
    // Copies of the clock have grown by the same time.
    const idleTimes = [...times].filter(
      ([address, ns]) => memory.long(address) - ns === ranNs && !isTime(ns, before.expiryNs),
    );
    if (idleTimes.length === 1) return { clocks, wheel, tick, idleTime: idleTimes[0]![0] };
  }
  return undefined;
}

function readTick(memory: KernelMemory, clocks: number, tick: number) {
  const expiryNs = memory.long(tick + EXPIRY_AT);
  return memory.long(clocks + NEXT_EXPIRY_AT) === expiryNs
    ? { expiryNs, ticks: memory.word(tick + TICKS_AT) }
    : { expiryNs: 0n, ticks: 0 };
}

const isTime = (ns: bigint, expiryNs: bigint): boolean =>
  ns === expiryNs || ns + BigInt(TICK_NS) === expiryNs;

/** Each clock has the address of the whole, and its own number. */
function findClocks(memory: KernelMemory): number | undefined {
  const words = memory.words();
  const [first, step, index] = [FIRST_CLOCK_AT / 4, CLOCK_BYTES / 4, CLOCK_INDEX_AT / 4];
  for (let at = 0; at + first + CLOCK_COUNT * step <= words.length; at++) {
    const address = MEMORY_ADDRESS + at * 4;
    if (words[at + first] !== address) continue;
    const isClock = (clock: number) =>
      words[at + first + clock * step] === address && words[at + first + clock * step + index] === clock;
    if (Array.from({ length: CLOCK_COUNT }, (_, clock) => clock).every(isClock)) return address;
  }
  return undefined;
}

/** The wheel has a list for each bit, and its timers know the heads of their lists. */
function findWheel(memory: KernelMemory, near: number): number | undefined {
  const words = memory.words();
  const wordAt = (address: number) => words[(address - MEMORY_ADDRESS) / 4] ?? 0;
  const isWheel = (address: number): boolean => {
    if (wordAt(address + WHEEL_CPU_AT) !== 0) return false;
    let [used, stored] = [0, 0];
    for (let list = 0; list < WHEEL_LISTS; list++) {
      const bit = (wordAt(address + WHEEL_BITS_AT + (list >>> 5) * 4) >>> (list & 31)) & 1;
      const head = address + WHEEL_LISTS_AT + list * 4;
      const timer = wordAt(head);
      if ((timer !== 0) !== (bit === 1)) return false;
      used += bit;
      if (bit === 1 && wordAt(timer + STORED_AT) === head) stored += 1;
    }
    return stored > used / 2;
  };
  return addressesNear(memory, near).find(isWheel);
}

const longsNear = (memory: KernelMemory, near: number): Map<number, bigint> =>
  new Map(addressesNear(memory, near).map((address) => [address, memory.long(address)]));

function addressesNear(memory: KernelMemory, near: number): number[] {
  const from = Math.max(MEMORY_ADDRESS, near - NEAR_BYTES);
  const to = Math.min(memory.end - WHEEL_BYTES, near + NEAR_BYTES);
  return Array.from({ length: Math.max(0, to - from) / 4 }, (_, index) => from + index * 4);
}
