/** Switches with cables that can be pulled, for tests of their protocols. */
import type { World } from "@wirelab/engine/devices/device";
import { EthernetSwitch, type SwitchState } from "@wirelab/engine/devices/switch/index";
import { DeviceBench } from "./device-bench.ts";
import { access, settingsOf } from "./switch-bench.ts";

export type End = readonly [name: string, port: number];

/** A world whose device can die: its timers do not fire any more. */
function mortal(world: World, life: { readonly isSilent: boolean }): World {
  return Object.create(world, {
    after: {
      value: ((delayUs, call, kind) =>
        world.after(delayUs, () => life.isSilent || call(), kind)) satisfies World["after"],
    },
    send: {
      value: ((port, frame) => {
        if (!life.isSilent) world.send(port, frame);
      }) satisfies World["send"],
    },
  }) as World;
}

/** Switches and their cables, which can be pulled. */
export class Network {
  readonly bench = new DeviceBench();
  readonly switches = new Map<string, EthernetSwitch>();
  readonly #specs = new Map<string, Parameters<Network["add"]>>();
  readonly #lives = new Map<string, { isSilent: boolean }>();
  readonly cables: (readonly [End, End])[] = [];

  /** @param wired its ports with a cable. */
  add(
    name: string,
    rstp: unknown,
    wired: readonly number[],
    ports = 8,
    more: Readonly<Record<string, unknown>> = {},
    state?: SwitchState,
  ): this {
    const made = Array.from({ length: ports }, (_, port) => ({
      ...access(),
      isWired: wired.includes(port),
    }));
    const settings = settingsOf({ rstp, ...more }, made, name);
    const spec = { type: "ethernet_switch" as const, name, ports: made, ...settings };
    this.#specs.set(name, [name, rstp, wired, ports, more]);
    const life = { isSilent: false };
    this.#lives.set(name, life);
    const make = (world: World): EthernetSwitch => new EthernetSwitch(spec, mortal(world, life), state);
    this.switches.set(name, this.bench.add(name, make));
    return this;
  }

  /** The switch sends nothing from now on. */
  silence(name: string): void {
    this.#lives.get(name)!.isSilent = true;
  }

  cable(one: End, other: End): this {
    this.bench.wire(one, other);
    this.cables.push([one, other]);
    return this;
  }

  start(): this {
    for (const each of this.switches.values()) each.start();
    return this;
  }

  setCarrier(cable: number, isUp: boolean): void {
    for (const [name, port] of this.cables[cable]!) this.switches.get(name)!.linkChanged(port, isUp);
  }

  /** Replaces a switch by one with its saved state, as between two runs. */
  restore(name: string): void {
    const [, rstp, wired, ports, more] = this.#specs.get(name)!;
    this.silence(name);
    const state = JSON.parse(JSON.stringify(this.switches.get(name)!.saveState())) as SwitchState;
    this.add(name, rstp, wired, ports, more, state);
    this.switches.get(name)!.resume();
  }

  roles(name: string): Readonly<Record<number, string>> {
    const { ports } = this.switches.get(name)!.rstp!;
    return Object.fromEntries(ports.map(({ port, role, state }) => [port, `${role} ${state}`]));
  }

  /** Runs for a time from now. */
  run(us: number): void {
    this.bench.run(this.bench.nowUs + us);
  }
}

/** Groups of switches that are joined by `cables`. */
export function groups(names: readonly string[], cables: readonly (readonly [End, End])[]): number {
  const group = new Map(names.map((name) => [name, name]));
  const find = (name: string): string => (group.get(name) === name ? name : find(group.get(name)!));
  for (const [[one], [other]] of cables) group.set(find(one), find(other));
  return new Set(names.map(find)).size;
}
