import { makeStream } from "@wirelab/engine/base/random";
import type { TimerKind } from "@wirelab/engine/devices/device";
import { describe, expect, test } from "vitest";
import { FrameSlab } from "../../../../../packages/engine/base/frame-slab.ts";
import type { Received, Script } from "../../../../../packages/engine/devices/pc/host.ts";
import { Scripts } from "../../../../../packages/engine/devices/pc/scripts.ts";
import { spawnScript } from "./stack/bare-pc.ts";

interface FakeTimer {
  readonly atUs: number;
  readonly call: () => void;
  readonly kind: TimerKind;
}

/** A world whose clock the test sets. */
class HandWorld {
  nowUs = 0;
  timers: FakeTimer[] = [];
  readonly random = makeStream("scripts");
  readonly frames = new FrameSlab();

  send(): void {}

  print(): void {}

  after(delayUs: number, call: () => void, kind: TimerKind = "foreground") {
    const timer = { atUs: this.nowUs + delayUs, call, kind };
    this.timers.push(timer);
    return { cancel: () => this.#remove(timer) };
  }

  pass(us: number): void {
    this.nowUs += us;
    const due = this.timers.filter(({ atUs }) => atUs <= this.nowUs);
    for (const timer of due) {
      this.#remove(timer);
      timer.call();
    }
  }

  #remove(timer: FakeTimer): void {
    this.timers = this.timers.filter((each) => each !== timer);
  }
}

const packet = (kind: Received["kind"], sourceMac = 1, fields = {}) =>
  ({ kind, sourceMac, header: {}, ...fields }) as unknown as Received;
const IPV4 = packet("ipv4");
const ARP = packet("arp");
const ADVERTISEMENT = packet("ipv6", 1, { header: { nextHeader: 58 }, payload: Uint8Array.of(136) });

function prepare() {
  const world = new HandWorld();
  return { world, scripts: new Scripts(world), log: [] as string[] };
}

const take = (): boolean => true;

describe("scripts", () => {
  test("a script runs at once until it waits, and continues when the time is over", () => {
    const { world, scripts, log } = prepare();
    spawnScript(
      scripts,
      (function* (): Script {
        log.push("begin");
        const got = yield { timeoutUs: 500 };
        log.push(`end ${world.nowUs} ${got}`);
      })(),
    );
    expect(log).toEqual(["begin"]);
    world.pass(499);
    expect(log).toEqual(["begin"]);
    world.pass(1);
    expect(log).toEqual(["begin", "end 500 undefined"]);
    expect(scripts.count).toBe(0);
  });

  test("a packet goes to the first script that accepts it, in the order of spawning", () => {
    const { scripts, log } = prepare();
    const waiter = function* (name: string, accept: (packet: Received) => boolean): Script {
      for (;;) {
        const got = yield { timeoutUs: 1000, accept };
        log.push(`${name} ${got?.kind}`);
      }
    };
    spawnScript(
      scripts,
      waiter("none", () => false),
    );
    spawnScript(scripts, waiter("first", take));
    spawnScript(scripts, waiter("second", take));
    expect(scripts.offer(IPV4)).toBe(true);
    expect(scripts.offer(packet("ipv6"))).toBe(true);
    expect(log).toEqual(["first ipv4", "first ipv6"]);
  });

  test.each([
    ["an ARP packet", ARP],
    ["a neighbour advertisement", ADVERTISEMENT],
  ])("%s wakes every script that accepts it, and the PC still handles it", (_name, shared) => {
    const { scripts, log } = prepare();
    const waiter = function* (name: string): Script {
      yield { timeoutUs: 1000, accept: take };
      log.push(name);
    };
    spawnScript(scripts, waiter("first"));
    spawnScript(scripts, waiter("second"));
    expect(scripts.offer(shared)).toBe(false);
    expect(log).toEqual(["first", "second"]);
  });

  test("a script that a packet spawned does not see that packet", () => {
    const { scripts, log } = prepare();
    const child = function* (): Script {
      const got = yield { timeoutUs: 1000, accept: take };
      log.push(`child ${got?.sourceMac}`);
    };
    spawnScript(
      scripts,
      (function* (): Script {
        yield { timeoutUs: 1000, accept: take };
        spawnScript(scripts, child());
      })(),
    );
    scripts.offer(packet("arp", 1));
    expect(log).toEqual([]);
    scripts.offer(packet("arp", 2));
    expect(log).toEqual(["child 2"]);
  });

  test("the timer of a wait that a packet ended does not end the next wait", () => {
    const { world, scripts, log } = prepare();
    spawnScript(
      scripts,
      (function* (): Script {
        yield { timeoutUs: 100, accept: take };
        const got = yield { timeoutUs: 100, accept: take };
        log.push(`${world.nowUs} ${got?.kind}`);
      })(),
    );
    world.pass(60);
    scripts.offer(IPV4);
    world.pass(60);
    expect(log).toEqual([]);
    expect(world.timers).toHaveLength(1);
    world.pass(40);
    expect(log).toEqual(["160 undefined"]);
  });

  test("a background wait sets a background timer, a wait without end sets none", () => {
    const { world, scripts } = prepare();
    spawnScript(
      scripts,
      (function* (): Script {
        yield { timeoutUs: 100, background: true };
        yield { timeoutUs: 100 };
        yield { timeoutUs: Number.POSITIVE_INFINITY, accept: take };
      })(),
    );
    expect(world.timers.map(({ kind }) => kind)).toEqual(["background"]);
    world.pass(100);
    expect(world.timers.map(({ kind }) => kind)).toEqual(["foreground"]);
    world.pass(100);
    expect(world.timers).toEqual([]);
    expect(scripts.count).toBe(1);
  });

  test("stop runs the finally blocks once, removes the timer, and ends the offers", () => {
    const { world, scripts, log } = prepare();
    const inner = function* (): Script {
      try {
        yield { timeoutUs: 100, accept: take };
        log.push("never");
      } finally {
        log.push("inner");
      }
    };
    const { stop } = spawnScript(
      scripts,
      (function* (): Script {
        try {
          yield* inner();
        } finally {
          log.push("outer");
        }
      })(),
    );
    stop();
    stop();
    expect(log).toEqual(["inner", "outer"]);
    expect(world.timers).toEqual([]);
    expect(scripts.offer(IPV4)).toBe(false);
    expect(scripts.count).toBe(0);
  });

  test("a script may stop itself, and another script that waits for the same packet", () => {
    const { scripts, log } = prepare();
    const other = function* (name: string): Script {
      try {
        yield { timeoutUs: 100, accept: take };
        log.push(`${name} woke`);
      } finally {
        log.push(`${name} ended`);
      }
    };
    const handles: { stop(): void }[] = [];
    const stopper = function* (): Script {
      try {
        yield { timeoutUs: 100, accept: take };
        for (const { stop } of handles) stop();
        log.push("stopped all");
        yield { timeoutUs: 100 };
        log.push("never");
      } finally {
        log.push("stopper ended");
      }
    };
    handles.push(spawnScript(scripts, stopper()), spawnScript(scripts, other("other")));
    scripts.offer(ARP);
    expect(log).toEqual(["other ended", "stopped all", "stopper ended"]);
    expect(scripts.count).toBe(0);
  });
});
