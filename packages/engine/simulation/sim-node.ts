/** A node during a run: its device, its power, its environment. */

import type { FrameSlab } from "../base/frame-slab.ts";
import { makeStream, RandomStream, type StreamState } from "../base/random.ts";
import {
  CannotSaveError,
  type Device,
  type Frozen,
  type Timer,
  type TimerKind,
  type World,
} from "../devices/device.ts";
import { makeDevice, stateWhenOff } from "../devices/make-device.ts";
import { Padder, padsFrames } from "../devices/padding.ts";
import { PROCESSING_NS } from "../devices/processing.ts";
import type { DeviceSpec } from "../devices/readers.ts";
import type { ConsoleSession } from "./console-session.ts";
import type { LabNode, NodeState, PowerStatus, Wire } from "./lab.ts";
import type { LinkLine } from "./link-line.ts";
import { refit } from "./refit.ts";
import type { TimerEvent } from "./timer-event.ts";

/** The services of the simulation for a node. */
export interface Surroundings {
  readonly nowUs: number;
  /** One slab for all devices, because most devices of a large lab send little. */
  readonly frames: FrameSlab;
  send(node: SimNode, port: number, frame: Uint8Array): void;
  forward(node: SimNode, port: number, frame: Uint8Array): void;
  /** Sets a timer that does nothing after the node's power was off, and waits while the node is suspended. */
  after(node: SimNode, delayUs: number, call: () => void, kind: TimerKind): Timer;
  /** Handles a packet that a device discards. */
  discard(node: SimNode, reason: string): void;
  /** Handles a change of a routing protocol. */
  routingChanged(node: SimNode, what: string): void;
  /** Handles text printed by a console. */
  print(node: SimNode, text: string): void;
}

export type PowerAction = "start" | "stop" | "suspend" | "reload";

/** A node in the middle of a run. */
export interface FrozenNode {
  readonly status: PowerStatus;
  readonly life: number;
  readonly random: StreamState;
  readonly device: Frozen | undefined;
  readonly offState: unknown;
  readonly waiting: readonly TimerEvent[];
  readonly session: ConsoleSession | undefined;
  readonly lines: readonly (LinkLine | undefined)[];
}

export class SimNode {
  readonly id: string;
  readonly name: string;
  readonly spec: DeviceSpec | undefined;
  readonly wires: ReadonlyMap<number, Wire>;
  /** The same on and off. */
  readonly processingNs: number;
  readonly #world: World;
  readonly #random: RandomStream;
  /** Undefined for a node that goes on in the middle of a run. */
  readonly #before: { readonly status: PowerStatus; readonly state: string } | undefined;
  #status: PowerStatus;
  /** Present while the power is on. */
  #device: Device | undefined;
  /** The state of the device while it is off. */
  #offState: unknown;
  /** The number of power-offs: timers set before the last one do nothing. */
  #life = 0;
  /** Timers that came due while the node was suspended. */
  #waiting: TimerEvent[] = [];
  /** The links at its ports, by port number; set once the port has sent a frame. */
  readonly lines: (LinkLine | undefined)[] = [];
  /** The console session that currently receives output. */
  session: ConsoleSession | undefined;

  /** @param frozen of a node in the middle of a run, which continues when `thaw` is called. */
  constructor(
    node: LabNode,
    seed: string,
    surroundings: Surroundings,
    frozen?: Pick<FrozenNode, "random" | "status">,
  ) {
    this.id = node.id;
    this.name = node.name;
    this.spec = node.spec;
    this.wires = node.wires;
    this.processingNs = node.spec ? PROCESSING_NS[node.spec.type] : 0;
    this.#status = frozen?.status ?? node.status;
    const random = frozen?.random ?? node.state?.random;
    this.#random = random ? new RandomStream(random) : makeStream(seed, "node", node.name);
    this.#world = this.#makeWorld(surroundings);
    if (frozen !== undefined) return;
    this.#before = { status: node.status, state: JSON.stringify(node.state ?? null) };
    if (node.spec !== undefined && node.status !== "stopped") this.#join(node.spec, node.state);
    else if (node.spec !== undefined) this.#offState = stateWhenOff(node.spec, node.state?.device);
  }

  /** Returns the node at this moment. @throws CannotSaveError */
  freeze(): FrozenNode {
    const { name, spec } = this;
    const device = this.#device;
    if (device !== undefined && device.freeze === undefined)
      throw new CannotSaveError(
        `${name}: a node of type ${spec?.type} cannot be saved in the middle of a run`,
      );
    return {
      status: this.#status,
      life: this.#life,
      random: this.#random.saveState(),
      device: device?.freeze?.(),
      offState: this.#offState,
      waiting: this.#waiting,
      session: this.session,
      lines: this.lines,
    };
  }

  /** Continues where the node was frozen. */
  thaw({ life, device, offState, waiting, session, lines }: FrozenNode): void {
    this.#life = life;
    this.#offState = offState;
    this.#waiting = [...waiting];
    this.session = session;
    this.lines.push(...lines);
    if (device === undefined || this.spec === undefined) return;
    this.#device = makeDevice(this.spec, this.#world, device.state);
    this.#device.thaw?.(device.held);
  }

  /** The number of power-offs so far. */
  get life(): number {
    return this.#life;
  }

  /** Keeps a timer that has come due while the node is suspended. */
  keep(timer: TimerEvent): void {
    this.#waiting.push(timer);
  }

  get status(): PowerStatus {
    return this.#status;
  }

  get device(): Device | undefined {
    return this.#device;
  }

  /** Whether it forwards frames at layer 2: a switch or hub that is not off. */
  get forwards(): boolean {
    return this.#device?.forwards === true;
  }

  receive(port: number, frame: Uint8Array): void {
    if (this.#status === "started") this.#device?.receive(port, frame);
  }

  /** Whether packets over the MTU of a link come back. */
  get seesLinkMtu(): boolean {
    return this.#device?.refused !== undefined || this.#device?.linkReports === true;
  }

  /** Returns a frame that the link at a port does not take. */
  refused(port: number, frame: Uint8Array, mtuBytes: number): void {
    if (this.#status !== "started" || this.#device === undefined) return;
    if (this.#device.refused !== undefined) this.#device.refused(port, frame, mtuBytes);
    else this.#refit(port, frame, mtuBytes);
  }

  #refit(port: number, frame: Uint8Array, mtuBytes: number): void {
    const { fragments, report } = refit(frame, mtuBytes);
    for (const fragment of fragments) this.#world.send(port, fragment);
    if (fragments.length === 0) this.#world.discard?.(`larger than the link's MTU of ${mtuBytes} bytes`);
    if (report !== undefined) this.receive(port, report);
  }

  /** Reports the carrier of the link at a port. */
  linkChanged(port: number, isUp: boolean, isSuspended: boolean): void {
    this.#device?.linkChanged?.(port, isUp && !(isSuspended && this.seesSuspension));
  }

  get seesSuspension(): boolean {
    return this.#device?.seesSuspension === true;
  }

  /** Applies a power action; an action that is invalid in the current state does nothing. */
  power(action: PowerAction): void {
    if (action === "reload" || action === "stop") this.#turnOff();
    if (action === "reload" || action === "start") this.#turnOn();
    if (action === "suspend" && this.#status === "started") this.#status = "suspended";
  }

  /** Returns the changes since the node joined the run; undefined if there are none. */
  changes(): { status: PowerStatus; state: NodeState } | undefined {
    const before = this.#before;
    if (this.#status === "stopped" && before?.status === "stopped" && this.#life === 0) return undefined;
    const device = this.#device ? this.#device.saveState() : this.#offState;
    const state: NodeState = { ...(device == null ? {} : { device }), random: this.#random.saveState() };
    const same = this.#status === before?.status && JSON.stringify(state) === before.state;
    return same ? undefined : { status: this.#status, state };
  }

  /** Boots a device that was never on. */
  #join(spec: DeviceSpec, state: NodeState | undefined): void {
    this.#device = makeDevice(spec, this.#world, state?.device);
    if (state?.random === undefined) this.#device.start();
    else this.#device.resume();
  }

  #turnOn(): void {
    if (this.#status === "started" || this.spec === undefined) return;
    const wasSuspended = this.#status === "suspended";
    this.#status = "started";
    if (wasSuspended) {
      for (const timer of this.#waiting.splice(0)) timer.catchUp();
      return;
    }
    this.#device = makeDevice(this.spec, this.#world, this.#offState);
    this.#device.start();
  }

  #turnOff(): void {
    if (this.#device === undefined || this.spec === undefined) return;
    this.#offState = stateWhenOff(this.spec, this.#device.saveState());
    this.#device = undefined;
    this.#status = "stopped";
    this.#life += 1;
    this.#waiting = [];
  }

  #makeWorld(surroundings: Surroundings): World {
    const node = this;
    const padder = padsFrames(this.spec?.type)
      ? new Padder((length) => surroundings.frames.take(length))
      : undefined;
    return {
      get nowUs() {
        return surroundings.nowUs;
      },
      random: this.#random,
      frames: surroundings.frames,
      isWired: (port) => node.wires.has(port),
      send(port, frame) {
        if (node.#status === "started") surroundings.send(node, port, padder?.pad(frame) ?? frame);
      },
      forward(port, frame) {
        if (node.#status === "started") surroundings.forward(node, port, padder?.pad(frame) ?? frame);
      },
      after: (delayUs, call, kind = "foreground") => surroundings.after(node, delayUs, call, kind),
      discard: (reason) => surroundings.discard(node, reason),
      routingChanged: (what) => surroundings.routingChanged(node, what),
      print: (text) => surroundings.print(node, text),
    };
  }
}
