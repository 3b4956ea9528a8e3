/** The timer that moves with the next deadline of a state machine. */
import type { World } from "@wirelab/engine/devices/device";
import { beforeEach, expect, test } from "vitest";
import { WakeTimer } from "../../../../../packages/engine/net/bridge/wake-timer.ts";

/** The deadlines of all timers that are running. */
let running: Map<number, () => void>;
let woken: number[];
let nowUs: number;
let timer: WakeTimer;

beforeEach(() => {
  running = new Map();
  woken = [];
  nowUs = 1000;
  const world: Partial<World> = {
    get nowUs() {
      return nowUs;
    },
    after(delayUs: number, call: () => void) {
      const atUs = nowUs + delayUs;
      running.set(atUs, call);
      return { cancel: () => running.delete(atUs) };
    },
  };
  timer = new WakeTimer(world as World, "background", () => woken.push(nowUs));
});

const fire = (atUs: number) => {
  const call = running.get(atUs)!;
  running.delete(atUs);
  nowUs = atUs;
  call();
};

test("moves with the deadline: the machine is not woken at the one before", () => {
  timer.wakeAt(3000);
  timer.wakeAt(2000);
  expect([...running.keys()]).toEqual([2000]);
  timer.wakeAt(5000);
  expect([...running.keys()]).toEqual([5000]);
  fire(5000);
  expect(woken).toEqual([5000]);
});

test("starts no second timer for the same deadline, and one again after it has fired", () => {
  timer.wakeAt(2000);
  const first = running.get(2000);
  timer.wakeAt(2000);
  expect(running.get(2000)).toBe(first);
  fire(2000);
  timer.wakeAt(2000);
  expect([...running.keys()]).toEqual([2000]);
});

test("stops without a deadline", () => {
  timer.wakeAt(2000);
  timer.wakeAt(Number.POSITIVE_INFINITY);
  expect(running.size).toBe(0);
});
