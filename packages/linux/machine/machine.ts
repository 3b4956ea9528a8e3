/**
 * A PC in virtual time: an emulated CPU with a network card and two serial ports. Its clock advances with the instructions that it executes, and
 * over the time in which it waits for an interrupt. Equal states, inputs and random numbers give equal outputs, to the byte.
 */
import { CARD_MTU_BYTES } from "./card.ts";
import { CompilerChoice } from "./compiler-choice.ts";
import { FreshMemory } from "./fresh-memory.ts";
import { KernelMemory } from "./kernel-memory.ts";
import { type KernelPlaces, KernelTimers, TICK_NS } from "./kernel-timers.ts";
import { type Emulator, loadEmulator, loadWasm } from "./v86-module.ts";

/** The guest's speed: 500 million instructions in a second of virtual time. */
const NS_PER_INSTRUCTION = 2;
/** The emulator's counter of instructions in the memory of its WebAssembly module: 32 bits, which wrap. */
const COUNTER_ADDRESS = 664;
/** The only word of a new machine's memory that depends on its clock, 64 bits: what the guest's counter of cycles was read as first. */
const FIRST_CYCLES_ADDRESS = 35_464;
/** The variables of the module are below this address. */
const VARIABLES_BYTES = 49_152;
/** Index of `set_jit_config` (v86, src/rust/jit.rs): 1 switches the compiler off. */
const COMPILER_IS_OFF = 0;
/** The emulated timer fires one step of 838 ns after the time that it announces. A slice before finds nothing to do. */
const TIMER_STEP_NS = 1_000;
const NS_PER_MS = 1_000_000;
/**
 * A tick that finds nothing to do runs for 7,400 ns, one with a timer or with work of RCU for 8,900 and more. After the first kind, only a timer
 * or an input gives the kernel something to do.
 */
const QUIET_TICK_NS = 8_200;
/** Register B of the real-time clock: its interrupts are on (MC146818). */
const RTC_INTERRUPTS = 0x70;
/** Less than a second: what the kernel counts in its ticks, like the load, is late by no more. */
const MOST_TICKS_LEFT_OUT = 249;

export interface MachineOptions {
  /** The guest's memory in MiB. */
  readonly memoryMiB: number;
  readonly bios: Uint8Array;
  readonly vgaBios: Uint8Array;
  /** What is booted; absent if a state is restored. */
  readonly kernel?: { readonly image: Uint8Array; readonly initrd: Uint8Array; readonly commandLine: string };
  /** The clock at the start in nanoseconds; that of the saved state if one is restored. */
  readonly startNs: number;
  /** The date of the clock's zero: milliseconds since 1970. */
  readonly epochMs: number;
  /** 32 random bits. */
  readonly random: () => number;
  /** Where the kernel has its timers: without, the guest runs each tick of its kernel. */
  readonly places?: KernelPlaces | undefined;
}

/** What comes out of the machine while it runs. */
export interface Outputs {
  /** A frame leaves the network card. The bytes are the receiver's. */
  frame(atNs: number, data: Uint8Array): void;
  /** The network card drops a frame that arrives, because the guest has no free buffer for it. */
  drop?(atNs: number): void;
  /** A byte leaves a serial port: 0 or 1. */
  serial(port: number, byte: number): void;
}

export class Machine {
  readonly #emulator: Emulator;
  readonly #clock: Clock;
  readonly #compilations: (() => void)[];
  readonly #switchCompiler: (isOn: boolean) => void;
  readonly #random: () => number;
  readonly #fresh: FreshMemory | undefined;
  #choice = new CompilerChoice();
  readonly #timers: KernelTimers | undefined;
  #wakeNs: number;
  /** Whether it got an input since it ran. */
  #hasInput = false;
  /** When the first tick is due that is left out. */
  #dueNs: number | undefined;

  private constructor(
    emulator: Emulator,
    clock: Clock,
    compilations: (() => void)[],
    switchCompiler: (isOn: boolean) => void,
    { random, kernel, places }: MachineOptions,
  ) {
    this.#emulator = emulator;
    this.#random = random;
    if (kernel === undefined) this.#fresh = freshMemoryOf(emulator);
    this.#clock = clock;
    this.#compilations = compilations;
    this.#switchCompiler = switchCompiler;
    this.#wakeNs = clock.nowNs;
    this.#timers = places && new KernelTimers(this.memory, places);
    switchCompiler(this.#choice.isOn);
  }

  static async create(options: MachineOptions, outputs: Outputs): Promise<Machine> {
    const clock = new Clock(options.startNs);
    const compilations: (() => void)[] = [];
    let isReady = false;
    let setJitConfig: (index: number, value: number) => void;
    const V86 = loadEmulator({
      nowMs: () => clock.nowNs / NS_PER_MS,
      dateMs: () => options.epochMs + clock.nowNs / NS_PER_MS,
      random: options.random,
      isReady: () => isReady,
      compile: (finish) => compilations.push(finish),
    });
    const emulator = new V86({
      wasm_fn: async (imports: WebAssembly.Imports) => {
        const { exports } = new WebAssembly.Instance(loadWasm(), imports);
        clock.count(exports.memory as WebAssembly.Memory);
        setJitConfig = exports.set_jit_config as typeof setJitConfig;
        return exports;
      },
      memory_size: options.memoryMiB << 20,
      vga_memory_size: 1 << 20,
      bios: { buffer: bufferOf(options.bios) },
      vga_bios: { buffer: bufferOf(options.vgaBios) },
      ...(options.kernel && {
        bzimage: { buffer: bufferOf(options.kernel.image) },
        initrd: { buffer: bufferOf(options.kernel.initrd) },
        cmdline: options.kernel.commandLine,
      }),
      net_device: { type: "virtio", mtu: CARD_MTU_BYTES },
      uart1: true,
      disable_speaker: true,
      autostart: false,
    });
    await new Promise<void>((resolve) => emulator.add_listener("emulator-ready", () => resolve()));
    isReady = true;
    emulator.add_listener("net0-send", (frame: Uint8Array) =>
      outputs.frame(clock.nowNs, Uint8Array.from(frame)),
    );
    emulator.add_listener("net0-drop", () => outputs.drop?.(clock.nowNs));
    for (const port of [0, 1])
      emulator.add_listener(`serial${port}-output-byte`, (byte: number) => outputs.serial(port, byte));
    const switchCompiler = (isOn: boolean) => setJitConfig(COMPILER_IS_OFF, isOn ? 0 : 1);
    return new Machine(emulator, clock, compilations, switchCompiler, options);
  }

  /** Virtual time in nanoseconds. */
  get nowNs(): number {
    return this.#clock.nowNs;
  }

  /** When the guest goes on by itself: now while it computes, later while it waits. */
  get wakeNs(): number {
    return Math.max(this.#wakeNs, this.#clock.nowNs);
  }

  /** The guest's memory. */
  get memory(): KernelMemory {
    const { cpu } = this.#emulator.v86;
    return new KernelMemory(() => cpu.wasm_memory.buffer, cpu.mem8.byteOffset, cpu.mem8.length);
  }

  /** Lets the guest wait until a time. A time that is over has no effect. */
  waitUntil(atNs: number): void {
    this.#clock.skipTo(atNs);
    const lateNs = this.#clock.nowNs - (this.#dueNs ?? Number.POSITIVE_INFINITY);
    if (lateNs < 0) return;
    this.#dueNs = undefined;
    this.#timers!.addIdleTicks(Math.floor(lateNs / TICK_NS));
    // The kernel brings its clock up to date before it takes an input.
    this.#emulator.v86.cpu.run_hardware_timers(false, this.#clock.nowNs / NS_PER_MS);
  }

  /** Runs the guest until it waits, or for about a millisecond of virtual time. */
  run(): void {
    const before = this.#clock.nowNs;
    const waitMs = this.#emulator.v86.cpu.main_loop();
    const nowNs = this.#clock.nowNs;
    const isTick = !this.#hasInput && before >= this.#wakeNs;
    const waitNs = Math.ceil(Math.max(waitMs, 0) * NS_PER_MS) + TIMER_STEP_NS;
    this.#wakeNs = waitMs > 0 || nowNs === before ? nowNs + waitNs : nowNs;
    this.#hasInput = false;
    this.#dueNs = undefined;
    if (isTick && this.#wakeNs > nowNs && nowNs - before < QUIET_TICK_NS) this.#leaveOutTicks();
    if (this.#choice.changes(this.#wakeNs > nowNs)) this.#switchCompiler(this.#choice.isOn);
    for (const finish of this.#compilations.splice(0)) finish();
  }

  /** The next ticks wait for the first one that has something to do. What the guest sees of its clocks is the same. */
  #leaveOutTicks(): void {
    const ticks = Math.min(this.#timers?.ticksWithoutTimer() ?? 0, MOST_TICKS_LEFT_OUT);
    if (ticks === 0 || this.#emulator.v86.cpu.devices.rtc.cmos_b & RTC_INTERRUPTS) return;
    this.#dueNs = this.#wakeNs;
    this.#wakeNs += ticks * TICK_NS;
  }

  /** A frame arrives at the network card, now. */
  receive(frame: Uint8Array): void {
    this.#emulator.bus.send("net0-receive", frame);
    this.#wakeNs = this.#clock.nowNs;
    this.#hasInput = true;
  }

  /** Bytes arrive at a serial port: 0 or 1. */
  type(port: number, bytes: Uint8Array): void {
    this.#emulator.serial_send_bytes(port, bytes);
    this.#wakeNs = this.#clock.nowNs;
    this.#hasInput = true;
  }

  /** @returns all that the machine holds but its clock. */
  async saveState(): Promise<Uint8Array> {
    const variables = () => new Uint8Array(this.#emulator.v86.cpu.wasm_memory.buffer, 0, VARIABLES_BYTES);
    // The emulator reads the counter of cycles, which changes what is read next.
    const before = variables().slice();
    const state = new Uint8Array(await this.#emulator.save_state());
    variables().set(before);
    return state;
  }

  /**
   * Makes the machine as a new one that restores the state of now. So a guest goes on with the same bytes, whether its state was saved and
   * restored meanwhile or not. Takes some milliseconds, because the guest's memory stays where it is.
   */
  async settle(): Promise<void> {
    const { cpu } = this.#emulator.v86;
    const { pack_memory, unpack_memory } = cpu;
    const { nowNs } = this;
    cpu.pack_memory = () => ({
      packed_memory: new Uint8Array(),
      bitmap: { get_buffer: () => new ArrayBuffer() },
    });
    cpu.unpack_memory = () => {};
    try {
      const state = await this.#emulator.save_state();
      this.#renew(nowNs);
      await this.#emulator.restore_state(state);
    } finally {
      Object.assign(cpu, { pack_memory, unpack_memory });
    }
    this.#restored(nowNs);
  }

  /** As `Machine.create` with these options makes a machine. */
  #renew(nowNs: number): void {
    if (this.#fresh === undefined) throw new Error("a machine that was booted cannot be renewed");
    const { cpu } = this.#emulator.v86;
    this.#fresh.restore(new Uint8Array(cpu.wasm_memory.buffer));
    this.#clock.set(nowNs);
    const cycles = Math.trunc((nowNs / NS_PER_MS) * NS_PER_MS);
    new DataView(cpu.wasm_memory.buffer).setBigUint64(FIRST_CYCLES_ADDRESS, BigInt(cycles), true);
    // The card's own address, of which the emulator draws the last three bytes.
    const { mac } = cpu.devices.virtio_net;
    for (const at of [3, 4, 5]) mac[at] = 255 * (this.#random() / 2 ** 32);
  }

  /**
   * @param state not changed, and not kept; may be in memory that threads share.
   * @param nowNs the clock when the state was saved.
   */
  async restoreState(state: Uint8Array, nowNs: number): Promise<void> {
    const isWhole = state.byteLength === state.buffer.byteLength;
    await this.#emulator.restore_state(isWhole ? state.buffer : bufferOf(state));
    this.#restored(nowNs);
  }

  #restored(nowNs: number): void {
    this.#clock.set(nowNs);
    this.#wakeNs = nowNs;
    this.#choice = new CompilerChoice();
    this.#switchCompiler(this.#choice.isOn);
    this.#dueNs = undefined;
    this.#hasInput = false;
  }
}

function freshMemoryOf({ v86: { cpu } }: Emulator): FreshMemory {
  const { byteOffset, length } = cpu.mem8;
  return new FreshMemory(new Uint8Array(cpu.wasm_memory.buffer), byteOffset, byteOffset + length);
}

/** Virtual time: the instructions executed, and the time that was skipped. */
class Clock {
  #ns: number;
  #counted = 0;
  #memory: WebAssembly.Memory | undefined;
  #counter = new Uint32Array(1);

  constructor(startNs: number) {
    this.#ns = startNs;
  }

  get nowNs(): number {
    // A memory that has grown has another buffer.
    if (this.#memory && this.#counter.buffer !== this.#memory.buffer)
      this.#counter = new Uint32Array(this.#memory.buffer, COUNTER_ADDRESS, 1);
    const count = this.#counter[0]!;
    this.#ns += ((count - this.#counted) >>> 0) * NS_PER_INSTRUCTION;
    this.#counted = count;
    return this.#ns;
  }

  count(memory: WebAssembly.Memory): void {
    this.#memory = memory;
  }

  skipTo(ns: number): void {
    this.#ns = Math.max(this.nowNs, ns);
  }

  set(ns: number): void {
    void this.nowNs;
    this.#ns = ns;
  }
}

/** A copy, which is not shared with other threads. */
const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
