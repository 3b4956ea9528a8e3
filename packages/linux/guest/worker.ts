/** The thread of one guest. The thread that asks waits for the answer, so that the simulation stays synchronous. */
import { RandomStream } from "@wirelab/engine/base/random";
import { Machine } from "../machine/machine.ts";
import { BasePages, decodeDifference, encodeDifference } from "../machine/state-pages.ts";
import { collect } from "./collect.ts";
import type { Advance, Advanced, Output } from "./guest.ts";
import type { OpenRequest, Reply } from "./protocol.ts";
import { serve } from "./serve.ts";

let machine: Machine | undefined;
let random: RandomStream;
let seed: OpenRequest["seed"];
let image: Uint8Array | undefined;
let pages: BasePages | undefined;
let outputs: Output[] = [];
/** What the guest has written to its serial ports in this slice, and when it began to. */
const text: readonly number[][] = [[], []];
const textNs: number[] = [0, 0];

async function open(request: OpenRequest): Promise<Reply> {
  seed = request.seed;
  random = new RandomStream(seed);
  machine = await Machine.create(
    {
      memoryMiB: request.memoryMiB,
      bios: request.bios,
      vgaBios: request.vgaBios,
      startNs: request.nowNs,
      epochMs: request.epochMs,
      random: () => random.nextUint32(),
      places: request.places,
    },
    {
      frame: (atNs, data) => outputs.push({ atNs, kind: "frame", port: 0, data }),
      drop: (atNs) => outputs.push({ atNs, kind: "drop", port: 0, data: new Uint8Array() }),
      serial: (serial, byte) => addByte(serial, byte, machine!.nowNs),
    },
  );
  image = request.base;
  const state = request.difference ? decodeDifference(basePages(), request.difference) : request.base;
  await machine.restoreState(state, request.nowNs);
  return { kind: "opened" };
}

async function settle(own: OpenRequest["seed"]): Promise<Reply> {
  random = new RandomStream(own);
  await machine!.settle();
  return { kind: "opened" };
}

/** Made for a guest that is saved, or that begins with a saved state. */
function basePages(): BasePages {
  pages ??= new BasePages(image!);
  return pages;
}

/** Bytes of one slice are one output for each port, at the time of the first. */
function addByte(serial: number, byte: number, atNs: number): void {
  const written = text[serial]!;
  if (written.length === 0) textNs[serial] = atNs;
  written.push(byte);
}

function advance({ toNs, inputs }: Advance): Advanced {
  machine!.waitUntil(toNs);
  outputs = [];
  for (const input of inputs) {
    if (input.kind === "frame") machine!.receive(input.data);
    else machine!.type(input.port, input.data);
  }
  machine!.run();
  for (const [port, bytes] of text.entries())
    if (bytes.length > 0)
      outputs.push({ atNs: textNs[port]!, kind: "serial", port, data: Uint8Array.from(bytes.splice(0)) });
  const { nowNs, wakeNs } = machine!;
  return { nowNs, wakeNs, outputs: outputs.toSorted((a, b) => a.atNs - b.atNs) };
}

async function save(): Promise<Reply> {
  const difference = encodeDifference(basePages(), await machine!.saveState());
  return { kind: "saved", difference, nowNs: machine!.nowNs };
}

await serve((request) => {
  if (request.kind === "open") return open(request).finally(collect);
  if (request.kind === "resume") return settle(request.seed);
  if (request.kind === "checkpoint") return settle(seed);
  if (request.kind === "save") return save().finally(collect);
  return { kind: "advanced", ...advance(request) };
});
