/**
 * A node with a Linux guest. The guest has a clock of its own, which the device keeps beside the lab's: while the guest waits, it goes on at
 * its next timer or with the next frame; while it computes, it is at most a millisecond ahead, and what arrives meanwhile waits for it.
 */
import type { Device, ReadFile, ScriptResult, Timer, TimerKind, World } from "@wirelab/engine/devices/device";
import { linuxKind } from "@wirelab/engine/devices/linux/kind";
import type { LinuxSpec } from "@wirelab/engine/devices/linux/spec";
import type { Guest, GuestHost, Message, Output } from "../guest/guest.ts";
import { carrierRequest, LARGEST_FRAME_BYTES } from "../image/wire.ts";
import { JOB_PORT, Job } from "./job.ts";
import { readAnswer, readScript } from "./read-file.ts";
import { CONSOLE_PORT, QUIET_US, ShellConsole } from "./shell-console.ts";
import { makeStartScript } from "./start-script.ts";
import { failuresIn } from "./steps.ts";
import { addTag, removeTag } from "./trunk.ts";

const NS_PER_US = 1_000;

/** The state of a Linux node between two runs: plain JSON data; the guest's own state is kept by the host under its name. */
export interface LinuxState {
  readonly guest: string;
  readonly prompt: string;
  /** `outputs` are on their way from the guest to the lab, `inputs` from the lab to the guest. */
  readonly outputs: readonly StoredMessage[];
  readonly inputs: readonly StoredMessage[];
  /** Ports without a carrier; absent if all have one. */
  readonly portsDown?: readonly number[];
}

interface Script {
  readonly text: string;
  readonly call: (result: ScriptResult) => void;
}

interface StoredMessage {
  readonly kind: Message["kind"];
  readonly port: number;
  /** Base64. */
  readonly data: string;
}

const storeMessage = ({ kind, port, data }: Message): StoredMessage => ({
  kind,
  port,
  data: Buffer.from(data).toString("base64"),
});

const readMessage = ({ kind, port, data }: StoredMessage): Message => ({
  kind,
  port,
  data: Uint8Array.from(Buffer.from(data, "base64")),
});

export class LinuxDevice implements Device {
  readonly processingNs = linuxKind.processingNs;
  readonly forwards = false;
  readonly seesSuspension = true;
  readonly linkReports = true;
  readonly console: ShellConsole;
  readonly #spec: LinuxSpec;
  readonly #world: World;
  readonly #guest: Guest;
  readonly #configure: readonly string[];
  readonly #prompt: string;
  /** The guest's clock minus the lab's, in nanoseconds. */
  readonly #aheadNs: number;
  #inputs: Message[];
  /** Until the lab has reached their times. */
  readonly #outputs = new Set<Message>();
  readonly #portsDown: Set<number>;
  #timer: Timer | undefined;
  #quiet: Timer | undefined;
  #job: Job | undefined;
  #isStarting = false;
  /** Scripts to run after the job that runs. */
  readonly #scripts: Script[] = [];

  constructor(spec: LinuxSpec, world: World, host: GuestHost, state?: LinuxState) {
    this.#spec = spec;
    this.#world = world;
    const random = () => world.random.nextUint32();
    this.#guest = host.open({
      node: spec.name,
      image: spec.image,
      seed: [random(), random(), random(), (random() | 1) >>> 0],
      state: state?.guest,
    });
    this.#configure = host.configureOf(spec.image);
    this.#inputs = state?.inputs.map(readMessage) ?? [];
    for (const output of state?.outputs ?? []) this.#outputs.add(readMessage(output));
    this.#portsDown = new Set(state?.portsDown);
    this.#aheadNs = this.#guest.nowNs - world.nowUs * NS_PER_US;
    this.#prompt = `${spec.hostname ?? spec.name}# `;
    this.console = new ShellConsole(state?.prompt ?? this.#prompt, {
      type: (data) => this.#give({ kind: "serial", port: CONSOLE_PORT, data }),
      print: (text) => world.print(text),
      wait: (call) => {
        this.#quiet?.cancel();
        this.#quiet = world.after(QUIET_US, call);
      },
    });
  }

  start(): void {
    for (const port of this.#unwired) this.#portsDown.add(port);
    const script = makeStartScript(this.#spec, this.#configure, this.#world.nowUs, this.#portsDown);
    this.#isStarting = true;
    this.#run(script, (result) => this.#started(result));
  }

  get isStarting(): boolean {
    return this.#isStarting;
  }

  readFile(path: string, maxBytes: number, call: (read: ReadFile) => void): void {
    this.runScript(readScript(path, maxBytes), (result) => call(readAnswer(result)));
  }

  runScript(text: string, call: (result: ScriptResult) => void): void {
    this.#scripts.push({ text, call });
    this.#runNext();
  }

  resume(): void {
    this.console.open();
    for (const output of this.#outputs) this.#after(this.#guest.nowNs, () => this.#put(output));
    for (const port of this.#unwired) this.linkChanged(port, false);
    this.#plan(this.#guest.nowNs);
  }

  receive(port: number, frame: Uint8Array): void {
    if (port >= this.#spec.ports) return;
    if (frame.length > LARGEST_FRAME_BYTES) this.#world.discard?.(`larger than ${LARGEST_FRAME_BYTES} bytes`);
    else this.#give({ kind: "frame", port: 0, data: addTag(port, frame) });
  }

  linkChanged(port: number, isUp: boolean): void {
    if (port >= this.#spec.ports || isUp !== this.#portsDown.has(port)) return;
    if (isUp) this.#portsDown.delete(port);
    else this.#portsDown.add(port);
    const data = new TextEncoder().encode(carrierRequest(port, isUp));
    this.#give({ kind: "serial", port: JOB_PORT, data });
  }

  get portsDown(): readonly number[] {
    return [...this.#portsDown].toSorted((a, b) => a - b);
  }

  get #unwired(): number[] {
    const ports = Array.from({ length: this.#spec.ports }, (_, port) => port);
    return ports.filter((port) => this.#world.isWired?.(port) === false);
  }

  saveState(): LinuxState {
    const { state, outputs, inputs } = this.#guest.save();
    return {
      guest: state,
      prompt: this.console.prompt,
      outputs: [...this.#outputs, ...outputs].map(storeMessage),
      inputs: [...inputs, ...this.#inputs].map(storeMessage),
      ...(this.#portsDown.size > 0 && { portsDown: this.portsDown }),
    };
  }

  /** The guest runs one job at a time. */
  #run(script: string, call: (result: ScriptResult) => void): void {
    this.#job = new Job((result) => {
      this.#job = undefined;
      call(result);
      this.#runNext();
    });
    this.#give({ kind: "serial", port: JOB_PORT, data: Job.request(script) });
  }

  #runNext(): void {
    const next = this.#job === undefined ? this.#scripts.shift() : undefined;
    if (next !== undefined) this.#run(next.text, next.call);
  }

  #started({ code, output }: ScriptResult): void {
    this.#isStarting = false;
    this.#guest.checkpoint();
    const failed = code === 0 ? "" : `The commands of the start ended with the code ${code}.\n`;
    const failures = failuresIn(output);
    this.console.startup = {
      status: "done",
      output: `${output}${failed}`,
      remaining: [],
      ...(failures.length > 0 && { failures }),
    };
    this.#world.print(output + failed);
    // The shell gets the node's name as its prompt.
    this.console.open(`PS1='${this.#prompt}'`);
  }

  /** The lab's time on the guest's clock. */
  get #labNs(): number {
    return this.#world.nowUs * NS_PER_US + this.#aheadNs;
  }

  /** Gives the guest an input: now if it waits, else when the lab has reached its clock. */
  #give(input: Message): void {
    this.#inputs.push(input);
    this.#plan(this.#guest.nowNs);
  }

  /** A run goes on while the guest has something to do that it was asked for; its own timers do not keep it going. */
  get #kind(): TimerKind {
    return this.#job !== undefined || this.console.isBusy ? "foreground" : "background";
  }

  #after(guestNs: number, call: () => void): Timer {
    const delayUs = Math.max(0, Math.ceil((guestNs - this.#labNs) / NS_PER_US));
    return this.#world.after(delayUs, call, this.#kind);
  }

  #plan(guestNs: number): void {
    this.#timer?.cancel();
    this.#timer = Number.isFinite(guestNs) ? this.#after(guestNs, () => this.#step()) : undefined;
  }

  #step(): void {
    const inputs = this.#inputs;
    this.#inputs = [];
    const { wakeNs, outputs } = this.#guest.advance({ toNs: this.#labNs, inputs });
    for (const output of outputs) this.#schedule(output);
    this.#plan(this.#inputs.length > 0 ? this.#guest.nowNs : wakeNs);
  }

  #schedule(output: Output): void {
    this.#outputs.add(output);
    this.#after(output.atNs, () => this.#put(output));
  }

  #put(output: Message): void {
    this.#outputs.delete(output);
    const { kind, port, data } = output;
    if (kind === "drop") this.#world.discard?.("the guest has no free buffer");
    else if (kind === "frame") {
      const sent = removeTag(data);
      if (sent && sent.port < this.#spec.ports) this.#world.send(sent.port, sent.frame);
    } else if (port === JOB_PORT) this.#job?.receive(data);
    else this.console.receive(data);
  }
}
