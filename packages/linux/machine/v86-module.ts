/**
 * Loads the emulator v86 with its sources of time, randomness and scheduling replaced: in the module's text, the names `performance`, `Date`,
 * `setTimeout`, `Math` and others are parameters, so all of them come from one machine's virtual time.
 *
 * The module is pinned to one version, because the machine uses names that are internal to it.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const fileOf = (path: string) => fileURLToPath(import.meta.resolve(`v86/build/${path}`));

/** The surroundings of one emulated machine. */
export interface Surroundings {
  /** Virtual time in milliseconds. */
  readonly nowMs: () => number;
  /** Virtual time in milliseconds since 1970. */
  readonly dateMs: () => number;
  /** 32 random bits. */
  readonly random: () => number;
  /** Whether the machine is ready; what the emulator schedules from then on is ignored, because the machine calls `main_loop` itself. */
  readonly isReady: () => boolean;
  /** Receives each compilation of guest code; the machine finishes them between two slices. */
  readonly compile: (finish: () => void) => void;
}

/** The parts of the emulator that the machine uses. */
export interface Emulator {
  readonly v86: { readonly cpu: Processor };
  readonly bus: { send(name: string, value: unknown): void };
  add_listener(name: string, call: (value: never) => void): void;
  serial_send_bytes(serial: number, data: Uint8Array): void;
  /** Synchronous in fact: the functions have no `await` before their work. */
  save_state(): Promise<ArrayBuffer>;
  restore_state(state: ArrayBufferLike): Promise<void>;
  destroy(): Promise<void>;
}

interface Processor {
  main_loop(): number;
  /** Raises the interrupts of the timers that are due. @param nowMs virtual time. */
  run_hardware_timers(hasAcpi: boolean, nowMs: number): number;
  readonly wasm_memory: { readonly buffer: ArrayBuffer };
  /** The guest's memory in that of the module. */
  readonly mem8: { readonly byteOffset: number; readonly length: number };
  readonly devices: {
    readonly virtio_net: { readonly mac: Uint8Array };
    readonly rtc: { readonly cmos_b: number };
  };
  /** The guest's memory, as part of a saved state. */
  pack_memory: () => { packed_memory: Uint8Array; bitmap: { get_buffer(): ArrayBuffer } };
  unpack_memory: (bitmap: unknown, packed: Uint8Array) => void;
}

export type EmulatorClass = new (options: Record<string, unknown>) => Emulator;

const PARAMETERS = [
  "performance",
  "Date",
  "setTimeout",
  "clearTimeout",
  "global",
  "crypto",
  "Math",
  "WebAssembly",
] as const;

let source: string | undefined;
let wasm: WebAssembly.Module | undefined;

/**
 * Changes of the restoring of a state, by which ten guests take half of the memory. What the module does is the same.
 *
 * The module copies each buffer of the state. The large one is the guest's memory, which it reads once: it gets a view, also of a state in
 * memory that threads share. The others stay with its devices, so they are copied.
 *
 * The module overwrites the whole memory of the machine with zeros before. A page that was never written takes no memory of the host, so only
 * those are overwritten that are not zero.
 */
const LEANER: readonly (readonly [from: string, to: string])[] = [
  [
    "return b.buffer.slice(x,x+r.length)",
    "return C=>C===Uint8Array&&r.length>1048576?b.subarray(x,x+r.length):new C(b.slice(x,x+r.length).buffer)",
  ],
  ["new c(b[a.buffer_id])", "b[a.buffer_id](c)"],
  [
    "this.zero_memory(0,this.memory_size[0]);const c=this.memory_size[0]>>12;let d=0;for(let f=0;f<c;f++)if(a.get(f))",
    "const c=this.memory_size[0]>>12;let d=0;for(let f=0;f<c;f++)if(!a.get(f))" +
      "this.is_memory_zeroed(f<<12,4096)||this.zero_memory(f<<12,4096);else",
  ],
];

/** The card prints a line where it drops a frame because the guest has no free buffer; here it reports the frame. */
const REPORTED_DROP = [
  'flush_replies()):console.log("No buffer to write into!")',
  'flush_replies()):this.bus.send("net"+this.id+"-drop")',
] as const;

function replaceParts(text: string): string {
  return [...LEANER, REPORTED_DROP].reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`this version of v86 has no ${from}`);
    return changed.replace(from, () => to);
  }, text);
}

/** The text of the module as the body of a function: without its exports. */
function readSource(): string {
  const text = readFileSync(fileOf("libv86.mjs"), "utf8");
  return replaceParts(text)
    .replace(/export default [^;]*;/, "")
    .replace(/export let [^;]*;/, "")
    .replace(/export\{\};?/g, "");
}

export function loadWasm(): WebAssembly.Module {
  wasm ??= new WebAssembly.Module(readFileSync(fileOf("v86.wasm")));
  return wasm;
}

export function loadEmulator({ nowMs, dateMs, random, isReady, compile }: Surroundings): EmulatorClass {
  source ??= readSource();
  const make = new Function(...PARAMETERS, `${source};return module.exports.V86;`);
  const schedule = (call: () => void, ms: number) => void (isReady() || setTimeout(call, ms));
  const ignore = () => {};
  return make(
    { now: nowMs },
    makeDate(dateMs),
    schedule,
    ignore,
    { setImmediate: ignore },
    { getRandomValues: (target: Uint8Array) => fill(target, random) },
    { __proto__: Math, random: () => random() / 2 ** 32 },
    makeWebAssembly(compile),
  );
}

function fill(target: Uint8Array, random: () => number): Uint8Array {
  for (let at = 0; at < target.length; at++) target[at] = random();
  return target;
}

const makeDate = (dateMs: () => number): DateConstructor =>
  class extends Date {
    constructor(...given: []) {
      if (given.length > 0) super(...given);
      else super(Math.floor(dateMs()));
    }
    static override now(): number {
      return Math.floor(dateMs());
    }
  } as DateConstructor;

/**
 * Compilation of guest code is asynchronous in the emulator, and the only race in it. Here the code is compiled when the slice is over: inside
 * of the call, a lock of the emulator is held.
 */
const makeWebAssembly = (compile: Surroundings["compile"]): object => ({
  __proto__: WebAssembly,
  instantiate(code: Uint8Array<ArrayBuffer>, imports: WebAssembly.Imports) {
    const copy = code.slice();
    const pending = {
      // biome-ignore lint/suspicious/noThenProperty: the emulator calls `then`, and must be called back in the machine's time.
      then(resolve: (result: { instance: WebAssembly.Instance }) => void) {
        compile(() => resolve({ instance: new WebAssembly.Instance(new WebAssembly.Module(copy), imports) }));
        return pending;
      },
      catch: () => pending,
    };
    return pending;
  },
});
