import { describe, expect, it } from "vitest";
import {
  type HeardAdvertisement,
  type Role,
  VirtualRouter,
} from "../../../../../../packages/engine/devices/router/services/vrrp/state-machine.ts";
import { BENCH_START_US, DeviceBench } from "../../../../../helpers/engine/device-bench.ts";

interface Log {
  readonly bench: DeviceBench;
  readonly machine: VirtualRouter;
  /** What happened, and when in milliseconds: `adv 100`, `announce`. */
  readonly events: [number, string][];
  readonly role: { -readonly [K in keyof Role]: Role[K] };
}

function make(role: Partial<Role> = {}): Log {
  const bench = new DeviceBench();
  const events: [number, string][] = [];
  const settings = { priority: 100, intervalCs: 100, preempt: true, ...role };
  const note = (what: string): void => void events.push([bench.nowUs / 1_000, what]);
  let machine: VirtualRouter | undefined;
  bench.add("R", (world) => {
    machine = new VirtualRouter(world, {
      role: () => settings,
      advertise: (priority) => note(`adv ${priority}`),
      announce: () => note("announce"),
      changed: () => note(machine!.state),
    });
    return {
      processingNs: 0,
      forwards: false,
      console: undefined,
      start() {},
      resume() {},
      receive() {},
      saveState: () => null,
    };
  });
  return { bench, machine: machine!, events, role: settings };
}

const heard = (priority: number, more: Partial<HeardAdvertisement> = {}): HeardAdvertisement => ({
  priority,
  intervalCs: 100,
  hasHigherAddress: false,
  from: "10.0.0.9",
  ...more,
});
const seconds = (count: number): number => count * 1_000_000;

describe("a virtual router", () => {
  it("becomes the master after three intervals and a skew of (256 - priority) / 256 of one, then advertises", () => {
    const { bench, machine, events } = make();
    machine.startup();
    bench.run(seconds(6));
    // 3 s + 156/256 s
    expect(events).toEqual([
      [3609.375, "master"],
      [3609.375, "adv 100"],
      [3609.375, "announce"],
      [4609.375, "adv 100"],
      [5609.375, "adv 100"],
    ]);
  });

  it.each([
    [254, 100, 3007.812],
    [1, 100, 3996.093],
    [100, 1, 36.093],
    [100, 4095, 147803.906],
  ])("with priority %d and an interval of %d cs waits %d ms", (priority, intervalCs, atMs) => {
    const { bench, machine, events } = make({ priority, intervalCs });
    machine.startup();
    bench.run();
    expect(events[0]).toEqual([atMs, "master"]);
  });

  it("that owns the addresses is the master at once", () => {
    const { bench, machine, events } = make({ priority: 255 });
    machine.startup();
    bench.run();
    expect(events).toEqual([
      [0, "master"],
      [0, "adv 255"],
      [0, "announce"],
    ]);
  });

  it("keeps a run going until it has a master, and no longer", () => {
    const alone = make();
    alone.machine.startup();
    alone.bench.run();
    expect(alone.bench.nowUs).toBe(3_609_375);
    const second = make();
    second.machine.startup();
    second.machine.hear(heard(200));
    second.bench.run();
    expect(second.bench.nowUs).toBe(0);
  });

  it("stays a backup while it hears the master, with the master's interval", () => {
    const { bench, machine, events } = make();
    machine.startup();
    for (let at = 0; at < 20; at += 2) {
      bench.run(seconds(at));
      machine.hear(heard(200, { intervalCs: 200 }));
    }
    expect([machine.state, machine.master]).toEqual(["backup", "10.0.0.9"]);
    bench.run(seconds(40));
    // The last one at 18 s; 6 s and 156/256 of 2 s later.
    expect(events[0]).toEqual([25_218.75, "master"]);
  });

  it("preempts a master with less priority, unless that is off", () => {
    const { bench, machine, events } = make();
    machine.startup();
    bench.run(seconds(3));
    machine.hear(heard(99));
    bench.run(seconds(4));
    expect(events[0]).toEqual([3609.375, "master"]);

    const patient = make({ preempt: false });
    patient.machine.startup();
    patient.bench.run(seconds(3));
    patient.machine.hear(heard(1));
    patient.bench.run(seconds(6));
    expect(patient.events).toEqual([]);
  });

  it("takes over after the skew alone when the master stops", () => {
    const { bench, machine, events } = make();
    machine.startup();
    machine.hear(heard(200));
    bench.run(seconds(1));
    machine.hear(heard(0));
    bench.run(seconds(2));
    expect(events[0]).toEqual([1609.375, "master"]);
  });

  it.each([
    ["more priority", heard(101), "backup"],
    ["the same priority and a higher address", heard(100, { hasHigherAddress: true }), "backup"],
    ["the same priority and a lower address", heard(100), "master"],
    ["less priority", heard(99, { hasHigherAddress: true }), "master"],
  ])("as the master that hears one with %s is then %s", (_what, advertisement, state) => {
    const { bench, machine, events } = make();
    machine.startup();
    bench.run(seconds(4));
    events.length = 0;
    machine.hear(advertisement);
    expect(machine.state).toBe(state);
    // A master asserts itself at once (RFC 9568, section 6.4.3).
    expect(events).toEqual([[4_000, state === "backup" ? "backup" : "adv 100"]]);
  });

  it("as the master answers a master that stops", () => {
    const { bench, machine, events } = make();
    machine.startup();
    bench.run(seconds(4));
    machine.hear(heard(0));
    bench.run(seconds(4.9));
    expect(events.slice(3)).toEqual([[4_000, "adv 100"]]);
  });

  it("says when it stops to be the master, and a backup does not", () => {
    const { bench, machine, events } = make();
    machine.startup();
    machine.shutdown();
    expect(events).toEqual([]);
    machine.startup();
    bench.run(seconds(4));
    events.length = 0;
    machine.shutdown();
    bench.run(seconds(9));
    expect(events).toEqual([
      [4_000, "adv 0"],
      [4_000, "initialize"],
    ]);
    machine.hear(heard(200));
    expect(machine.state).toBe("initialize");
  });

  it("uses a priority that has changed meanwhile", () => {
    const { bench, machine, events, role } = make();
    machine.startup();
    bench.run(seconds(4));
    role.priority = 80;
    bench.run(seconds(5));
    expect(events.at(-1)).toEqual([4609.375, "adv 80"]);
    machine.hear(heard(90));
    expect(machine.state).toBe("backup");
  });

  it("continues from a saved state with the time that its timer had left", () => {
    const first = make();
    first.machine.startup();
    first.machine.hear(heard(200));
    first.bench.run(seconds(1));
    const saved = JSON.parse(JSON.stringify(first.machine.save()));
    expect(saved).toEqual({ state: "backup", waitUs: 2_609_375, intervalCs: 100, master: "10.0.0.9" });
    const next = make();
    next.machine.restore(saved);
    next.bench.run(seconds(3));
    expect(next.events[0]).toEqual([2609.375, "master"]);
    expect(BENCH_START_US).toBeGreaterThan(0);
  });
});
