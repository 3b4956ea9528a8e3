/** Timers of a kernel that the test has laid out, and how they are found. */

import { expect, test } from "vitest";
import { KernelMemory, MEMORY_ADDRESS } from "../../../packages/linux/machine/kernel-memory.ts";
import { KernelTimers, TICK_NS } from "../../../packages/linux/machine/kernel-timers.ts";
import { locateKernel } from "../../../packages/linux/machine/locate-kernel.ts";

const BYTES = 1 << 20;
const NONE = 2n ** 63n - 1n;
const [CLOCKS, WHEEL, TICK, IDLE_TIME] = [0x4_1b40, 0x4_11c0, 0x4_1ee0, 0x4_0c28].map(
  (at) => MEMORY_ADDRESS + at,
) as [number, number, number, number];
const PLACES = { clocks: CLOCKS, wheel: WHEEL, tick: TICK, idleTime: IDLE_TIME };
const [NEXT_NS, TICKS] = [10_000_000_000n, 0xffff_fffe];
const REALTIME_AHEAD_NS = 1_767_225_600_000_000_000n;

/** A kernel that ticks, and has no other timer before tick 20. */
class FakeKernel {
  readonly bytes = new Uint8Array(BYTES);
  readonly memory = new KernelMemory(() => this.bytes.buffer, 0, BYTES);
  readonly timers = new KernelTimers(this.memory, PLACES);
  readonly #view = new DataView(this.bytes.buffer);

  constructor() {
    this.long(CLOCKS + 32, NEXT_NS);
    for (let clock = 0; clock < 8; clock++) {
      this.word(CLOCKS + 56 + clock * 40, CLOCKS);
      this.word(CLOCKS + 60 + clock * 40, clock);
      this.long(CLOCKS + 88 + clock * 40, clock === 1 ? REALTIME_AHEAD_NS : 0n);
    }
    this.word(CLOCKS + 80, TICK);
    this.timer(TICK, NEXT_NS);
    this.word(TICK + 160, TICKS);
    this.expectWheel(20);
    this.list(130, MEMORY_ADDRESS + 0x2_0000);
    this.long(IDLE_TIME, 7_000_000_000n);
  }

  word(address: number, value: number): void {
    this.#view.setUint32(address - MEMORY_ADDRESS, value, true);
  }

  long(address: number, value: bigint): void {
    this.#view.setBigInt64(address - MEMORY_ADDRESS, value, true);
  }

  timer(address: number, expiryNs: bigint, earliestNs = expiryNs): void {
    this.long(address + 12, expiryNs);
    this.long(address + 20, earliestNs);
  }

  /** The wheel has a timer at the tick that is so many after the last one. */
  expectWheel(ticks: number): void {
    this.word(WHEEL + 12, (TICKS + ticks) >>> 0);
  }

  list(index: number, timer: number): void {
    const head = WHEEL + 96 + index * 4;
    this.word(WHEEL + 24 + (index >> 5) * 4, 1 << (index & 31));
    this.word(head, timer);
    this.word(timer + 4, head);
  }

  run(): void {
    for (const address of [CLOCKS + 32, TICK + 12, TICK + 20, IDLE_TIME])
      this.long(address, this.memory.long(address) + BigInt(TICK_NS));
    this.word(TICK + 160, this.memory.word(TICK + 160) + 1);
  }
}

const RIGHT = MEMORY_ADDRESS + 0x3_0000;
const BELOW = MEMORY_ADDRESS + 0x3_0100;

test("the next timer of the wheel is at a tick, also when the number of ticks wraps", () => {
  const kernel = new FakeKernel();
  expect(kernel.timers.ticksWithoutTimer()).toBe(19);
  kernel.expectWheel(1);
  expect(kernel.timers.ticksWithoutTimer()).toBe(0);
  kernel.expectWheel(-5);
  expect(kernel.timers.ticksWithoutTimer()).toBe(0);
});

test("the tick before another timer of the same clock is needed: it sets the hardware for that", () => {
  const kernel = new FakeKernel();
  kernel.word(TICK + 0, RIGHT | 1);
  kernel.timer(RIGHT, NEXT_NS + 11_999_999n);
  expect(kernel.timers.ticksWithoutTimer()).toBe(2);
  kernel.timer(RIGHT, NEXT_NS + 12_000_000n);
  expect(kernel.timers.ticksWithoutTimer()).toBe(3);
});

test("the second timer of a tree is the first of those on the right of the first one", () => {
  const kernel = new FakeKernel();
  kernel.word(TICK + 4, RIGHT);
  kernel.timer(RIGHT, NEXT_NS + 30_000_000n);
  kernel.word(RIGHT + 8, BELOW);
  kernel.timer(BELOW, NEXT_NS + 21_000_000n);
  expect(kernel.timers.ticksWithoutTimer()).toBe(5);
});

test("a timer that may expire earlier does so at the first tick from then", () => {
  const kernel = new FakeKernel();
  kernel.word(TICK + 4, RIGHT);
  kernel.timer(RIGHT, NEXT_NS + 60_000_000n, NEXT_NS + 9_000_000n);
  expect(kernel.timers.ticksWithoutTimer()).toBe(2);
});

test("timers of other clocks are ahead of the monotonic one by their offset", () => {
  const kernel = new FakeKernel();
  kernel.word(CLOCKS + 80 + 40, RIGHT);
  kernel.timer(RIGHT, REALTIME_AHEAD_NS + NEXT_NS + 17_000_000n);
  expect(kernel.timers.ticksWithoutTimer()).toBe(4);
});

test("no tick is left out while the hardware is set for another timer, or a timer is not in the memory", () => {
  const kernel = new FakeKernel();
  kernel.long(CLOCKS + 32, NEXT_NS - 1n);
  expect(kernel.timers.ticksWithoutTimer()).toBe(0);
  kernel.long(CLOCKS + 32, NEXT_NS);
  kernel.word(TICK + 4, 0xf000_0000);
  expect(kernel.timers.ticksWithoutTimer()).toBe(0);
  kernel.word(TICK + 4, 0);
  kernel.word(CLOCKS + 80, RIGHT);
  kernel.timer(RIGHT, NONE);
  expect(kernel.timers.ticksWithoutTimer()).toBe(0);
});

test("ticks that were left out are idle time", () => {
  const kernel = new FakeKernel();
  kernel.timers.addIdleTicks(3);
  expect(kernel.memory.long(IDLE_TIME)).toBe(7_012_000_000n);
});

test("the structures are found by their shape and their changes", () => {
  const kernel = new FakeKernel();
  let slices = 0;
  const places = locateKernel(kernel.memory, () => {
    // Something else runs in the first tries.
    if (++slices > 7) kernel.run();
  });
  expect(places).toEqual(PLACES);
});

test("a kernel whose structures are others has none that are found", () => {
  const withoutClocks = new FakeKernel();
  withoutClocks.word(CLOCKS + 60 + 40, 5);
  expect(locateKernel(withoutClocks.memory, () => withoutClocks.run())).toBeUndefined();
  const withoutWheel = new FakeKernel();
  withoutWheel.word(WHEEL + 24, 1);
  expect(locateKernel(withoutWheel.memory, () => withoutWheel.run())).toBeUndefined();
  const withoutTicks = new FakeKernel();
  expect(locateKernel(withoutTicks.memory, () => {})).toBeUndefined();
});
