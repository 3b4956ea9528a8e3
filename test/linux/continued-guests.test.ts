/** A guest that goes on with a state in its thread gives the same bytes as one that restores this state in another thread. */
import { createHash } from "node:crypto";
import { RandomStream } from "@wirelab/engine/base/random";
import { FrameLog } from "@wirelab/lab/play/frame-log";
import { play } from "@wirelab/lab/play/play";
import type { Guests } from "@wirelab/lab/read/guests";
import { LinuxDevice, type LinuxState } from "@wirelab/linux/device/linux-device";
import { ThreadHost } from "@wirelab/linux/guest/thread-host";
import { cacheFolder, imagesFolder, readImage } from "@wirelab/linux/image/image";
import { describe, expect } from "vitest";
import { ping } from "../../packages/lab/play/probe.ts";
import { Machine } from "../../packages/linux/machine/machine.ts";
import { loadLabFile } from "../../packages/wirelab/load-lab-file.ts";
import { drawnTest } from "../helpers/cases/drawn-test.ts";
import { hasImage } from "../helpers/play-linux.ts";

const test = drawnTest(3);
const folder = imagesFolder(cacheFolder(process.env));
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const NS_PER_SECOND = 1e9;

/** One guest of the image, driven by hand. */
class Driven {
  readonly put: string[] = [];
  random = new RandomStream([1, 2, 3, 4]);
  readonly machine: () => Machine;

  private constructor(machine: () => Machine) {
    this.machine = machine;
  }

  static async restore(name: string, from?: Driven): Promise<Driven> {
    const image = readImage(folder, name);
    const state = from ? await from.machine().saveState() : image.state;
    const nowNs = from ? from.machine().nowNs : image.nowNs;
    let machine: Machine | undefined;
    const driven = new Driven(() => machine!);
    machine = await Machine.create(
      { ...image, startNs: nowNs, random: () => driven.random.nextUint32() },
      {
        frame: (atNs, frame) => driven.put.push(`${atNs} frame ${sha256(frame)}`),
        serial: (port, byte) => driven.put.push(`${machine!.nowNs} serial ${port} ${byte}`),
      },
    );
    await machine.restoreState(state, nowNs);
    return driven;
  }

  type(line: string): void {
    this.machine().type(0, new TextEncoder().encode(`${line}\n`));
  }

  run(seconds: number): void {
    const machine = this.machine();
    const endNs = machine.nowNs + seconds * NS_PER_SECOND;
    for (; machine.wakeNs <= endNs; machine.run()) machine.waitUntil(machine.wakeNs);
    machine.waitUntil(endNs);
  }
}

/** Long enough for the compiler, which then has counted calls and has compiled. */
const COMPUTE = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; ip addr; cat /proc/uptime /proc/stat";

describe.skipIf(!hasImage("bird"))("a machine (skipped without the image: wirelab image build bird)", () => {
  test("that is settled goes on as one that has restored its state, while it computes", async () => {
    const settled = await Driven.restore("bird");
    settled.type(COMPUTE);
    settled.run(0.3137);
    const restored = await Driven.restore("bird", settled);
    settled.random = new RandomStream([1, 2, 3, 4]);
    await settled.machine().settle();
    settled.put.length = 0;
    for (const each of [settled, restored]) {
      each.run(0.5);
      each.type("ip -s link; date");
      each.run(1);
    }
    expect(settled.put.length).toBeGreaterThan(100);
    expect(settled.put).toEqual(restored.put);
    expect(settled.random.nextUint32()).toBe(restored.random.nextUint32());
    expect(sha256(await settled.machine().saveState())).toBe(sha256(await restored.machine().saveState()));
  });

  test("does not change when it is saved", async () => {
    const one = await Driven.restore("bird");
    one.type(COMPUTE);
    one.run(0.1);
    expect(sha256(await one.machine().saveState())).toBe(sha256(await one.machine().saveState()));
  });
});

/** Guests of which each has a thread of its own from each state on. */
function makeRestoring(): { readonly guests: Guests; readonly stateOf: (name: string) => Uint8Array } {
  const hosts: ThreadHost[] = [];
  let names = 0;
  const find = (name: string) =>
    hosts.map((host) => host.stateOf(name)).find((saved) => saved !== undefined)!;
  return {
    guests: {
      problemOf: () => undefined,
      makeDevice(spec, world, given) {
        const state = given as LinuxState | undefined;
        const host = new ThreadHost(folder, { newName: () => String(++names) });
        if (state !== undefined) host.keep(state.guest, find(state.guest));
        hosts.push(host);
        return new LinuxDevice(spec, world, host, state);
      },
    },
    stateOf: (name) => find(name).difference,
  };
}

function makeContinuing(isParallel: boolean): ReturnType<typeof makeRestoring> {
  const host = new ThreadHost(folder, { isParallel });
  return {
    guests: {
      problemOf: () => undefined,
      makeDevice: (spec, world, state) => new LinuxDevice(spec, world, host, state as LinuxState | undefined),
    },
    stateOf: (name) => host.stateOf(name)!.difference,
  };
}

const LAB = new URL("../../examples/linux/ospf-bird.lab.yaml", import.meta.url).pathname;
/** While the guests compute: a copy of the state does not change what they do afterwards. */
const MOMENT_NS = 1.0005 * NS_PER_SECOND;

function outcomeOf({ guests, stateOf }: ReturnType<typeof makeRestoring>, moments: readonly number[] = []) {
  const model = loadLabFile(LAB, guests);
  const log = new FrameLog();
  const played = play(model, { watchers: { timeline: log }, moments });
  const nodes = played.stateAt(undefined).nodes;
  const probe = { from: "pc1", to: "pc2", protocol: "icmp", port: 0 } as const;
  const linux = model.nodes.flatMap(({ name, spec }) => (spec?.type === "linux" ? [name] : []));
  expect(linux).toHaveLength(2);
  return {
    frames: log.frames.map(({ from, enteredNs, frame }) => `${from} ${enteredNs} ${sha256(frame)}`),
    consoles: played.timeline.sessions.map(({ output }) => output),
    // The same state begins each of them.
    probes: [1, 2].map(() => ping(played, probe, { atNs: undefined }).transcript),
    states: linux.map((name) => {
      const state = nodes.get(name)!.state!.device as LinuxState;
      return { ...state, guest: sha256(stateOf(state.guest)) };
    }),
  };
}

describe.skipIf(!hasImage("bird"))("a lab (skipped without the image: wirelab image build bird)", () => {
  test("has the same captures, consoles, probes and final states in threads that go on, at once or in turn, and in new ones", () => {
    const restored = outcomeOf(makeRestoring());
    expect(restored.frames.length).toBeGreaterThan(20);
    expect(outcomeOf(makeContinuing(true))).toEqual(restored);
    expect(outcomeOf(makeContinuing(false), [MOMENT_NS])).toEqual(restored);
  });
});
