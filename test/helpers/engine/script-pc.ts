/** A PC without a console, for tests of its scripts and its IPv6 responses. */
import type { Device, DeviceConsole, World } from "@wirelab/engine/devices/device";
import { initialPcState, macOfPc, type PcState } from "@wirelab/engine/devices/pc/state";
import type { Host, Script } from "../../../packages/engine/devices/pc/host.ts";
import type { Notes } from "../../../packages/engine/devices/pc/notes.ts";
import { Scripts } from "../../../packages/engine/devices/pc/scripts.ts";
import { PcHost } from "../../../packages/engine/devices/pc/stack/pc-host.ts";
import { Receiver } from "../../../packages/engine/devices/pc/stack/receive.ts";
import { DeviceBench } from "./device-bench.ts";

type Command = (host: Host, notes: Notes) => Script<unknown>;

export class ScriptPc extends PcHost implements Device {
  readonly processingNs = 1_000;
  readonly forwards = false;
  readonly console: DeviceConsole;
  readonly #receiver: Receiver;
  /** The command that the next entered line runs. */
  #command: Command | undefined;
  #script: () => Script = function* () {};

  constructor(index: number, world: World, state?: PcState) {
    const spec = { type: "vpcs", name: `PC${index + 1}`, index, startupScript: "" } as const;
    const scripts = new Scripts(world);
    scripts.define("test", () => this.#script());
    super(world, state ?? initialPcState(spec), macOfPc(index), scripts);
    this.#receiver = new Receiver(this, scripts);
    this.console = { prompt: "", enter: (_line, done) => this.#run(done), interrupt: () => undefined };
  }

  setCommand(command: Command): void {
    this.#command = command;
  }

  #run(done: () => void): void {
    const command = this.#command!;
    const host = this;
    this.#script = function* (): Script {
      yield* command(host, {});
      done();
    };
    host.spawn("test", {});
  }

  start(): void {}

  resume(): void {}

  saveState(): PcState {
    return JSON.parse(JSON.stringify(this.state));
  }

  receive(_port: number, frame: Uint8Array): void {
    this.#receiver.receive(frame);
  }
}

/** A device that replies to frames by a function: a server, a router, a faulty neighbour. */
class ScriptedPeer implements Device {
  readonly processingNs = 1_000;
  readonly forwards = false;
  readonly console = undefined;
  readonly #world: World;
  readonly #answer: (frame: Uint8Array, send: (frame: Uint8Array) => void) => void;
  readonly delayUs: number;

  constructor(
    world: World,
    answer: (frame: Uint8Array, send: (frame: Uint8Array) => void) => void,
    delayUs = 0,
  ) {
    this.#world = world;
    this.#answer = answer;
    this.delayUs = delayUs;
  }

  start(): void {}

  resume(): void {}

  receive(_port: number, frame: Uint8Array): void {
    this.#answer(frame, (reply) => this.#world.after(this.delayUs, () => this.#world.send(0, reply)));
  }

  saveState(): null {
    return null;
  }
}

/** One PC with number 0, wired to a peer that replies by a function. */
export class PcBench extends DeviceBench {
  readonly pc: ScriptPc;

  constructor(answer: (frame: Uint8Array, send: (frame: Uint8Array) => void) => void = () => undefined) {
    super();
    this.pc = this.add("PC1", (world) => new ScriptPc(0, world));
    this.add("peer", (world) => new ScriptedPeer(world, answer));
    this.wire(["PC1", 0], ["peer", 0]);
  }

  /** Runs a command to its end. @returns its output. */
  command(command: Command): string {
    this.pc.setCommand(command);
    return this.type("PC1", "");
  }

  /** The PC's frames, with the time from the bench's start. */
  get sent() {
    return this.frames.filter(({ from }) => from === "PC1");
  }

  /** Sends frames from the peer that are not replies. */
  toPc(frame: Uint8Array): void {
    this.inject("PC1", 0, frame);
  }
}

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
