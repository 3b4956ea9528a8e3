/**
 * What the guest's kernel has to do next. Debian's kernels for 32 bits are built without dynamic ticks (CONFIG_HZ_PERIODIC): they tick 250
 * times a second, also while nothing is to be done. The kernel's own structures say how many of the next ticks have nothing to do, as those of
 * a kernel with dynamic ticks do (kernel/time/tick-sched.c, tick_nohz_next_event).
 *
 * The offsets are those of Linux 6.1 for 32 bits. If a structure is not as it has to be, no tick can be left out.
 */
import type { KernelMemory } from "./kernel-memory.ts";

export const TICK_NS = 4_000_000;

/** Addresses of the first processor's structures. */
export interface KernelPlaces {
  /** struct hrtimer_cpu_base: timers of high resolution, by clock. */
  readonly clocks: number;
  /** struct timer_base: timers in ticks. */
  readonly wheel: number;
  /** struct tick_sched: begins with the timer of the tick. */
  readonly tick: number;
  /** The time in which the processor was idle (/proc/stat): nanoseconds in 64 bits. */
  readonly idleTime: number;
}

/** In struct hrtimer_cpu_base, include/linux/hrtimer.h. */
export const NEXT_EXPIRY_AT = 32;
export const FIRST_CLOCK_AT = 56;
/** struct hrtimer_clock_base: its owner, its index, the first timer, and what the clock is ahead of the monotonic one. */
export const CLOCK_BYTES = 40;
export const CLOCK_COUNT = 8;
export const CLOCK_INDEX_AT = 4;
export const FIRST_TIMER_AT = 24;
const CLOCK_OFFSET_AT = 32;
/** struct hrtimer: a node of a tree, and its times. */
const PARENT_AT = 0;
const RIGHT_AT = 4;
const LEFT_AT = 8;
export const EXPIRY_AT = 12;
const EARLIEST_EXPIRY_AT = 20;
/** In struct tick_sched, kernel/time/tick-sched.h: the time of the last tick in ticks. */
export const TICKS_AT = 160;
/** In struct timer_base, kernel/time/timer.c. */
export const WHEEL_EXPIRY_AT = 12;

export class KernelTimers {
  readonly #memory: KernelMemory;
  readonly #places: KernelPlaces;

  constructor(memory: KernelMemory, places: KernelPlaces) {
    this.#memory = memory;
    this.#places = places;
  }

  /** How many ticks, from the next one, no timer needs. */
  ticksWithoutTimer(): number {
    try {
      return Math.max(0, Math.min(this.#ticksToWheel(), this.#ticksToClocks()));
    } catch (error) {
      // A timer of a kernel module is in memory that is mapped at another place.
      if (error instanceof RangeError) return 0;
      throw error;
    }
  }

  /** Ticks that were left out were idle time. */
  addIdleTicks(count: number): void {
    const { idleTime } = this.#places;
    this.#memory.setLong(idleTime, this.#memory.long(idleTime) + BigInt(count * TICK_NS));
  }

  /** The next tick makes the time of the last tick plus one. */
  #ticksToWheel(): number {
    const { wheel, tick } = this.#places;
    return ((this.#memory.word(wheel + WHEEL_EXPIRY_AT) - this.#memory.word(tick + TICKS_AT)) | 0) - 1;
  }

  #ticksToClocks(): number {
    const { clocks, tick } = this.#places;
    const memory = this.#memory;
    const tickNs = memory.long(tick + EXPIRY_AT);
    const first = memory.word(clocks + FIRST_CLOCK_AT + FIRST_TIMER_AT);
    if (first !== tick || memory.long(clocks + NEXT_EXPIRY_AT) !== tickNs) return 0;
    let ticks = Number.POSITIVE_INFINITY;
    for (let index = 0; index < CLOCK_COUNT; index++) {
      const clock = clocks + FIRST_CLOCK_AT + index * CLOCK_BYTES;
      const timer = index === 0 ? this.#timerAfter(tick) : memory.word(clock + FIRST_TIMER_AT);
      if (timer === 0) continue;
      const waitNs = memory.long(timer + EARLIEST_EXPIRY_AT) - memory.long(clock + CLOCK_OFFSET_AT) - tickNs;
      ticks = Math.min(ticks, Math.floor(Number(waitNs) / TICK_NS));
    }
    return ticks;
  }

  /** The second timer of a tree, after its first one: the first of those on its right, else its parent. */
  #timerAfter(first: number): number {
    const memory = this.#memory;
    let next = memory.word(first + RIGHT_AT);
    // The lowest bits of the parent's address are the node's colour.
    if (next === 0) return (memory.word(first + PARENT_AT) & ~3) >>> 0;
    for (let left = next; left !== 0; left = memory.word(next + LEFT_AT)) next = left;
    return next;
  }
}
