/** The thread of one guest. The thread that asks waits for the answer, so that the simulation stays synchronous. */
import { type MessagePort, workerData } from "node:worker_threads";
import { RandomStream } from "@wirelab/engine/base/random";
import { Machine } from "../machine/machine.ts";
import { BasePages, decodeDifference, encodeDifference } from "../machine/state-pages.ts";
import { collect } from "./collect.ts";
import type { Advance, Advanced, Output } from "./guest.ts";
import type { OpenRequest, Reply, Request } from "./protocol.ts";

const { port, answered } = workerData as { port: MessagePort; answered: Int32Array };

let machine: Machine | undefined;
let image: Uint8Array | undefined;
let pages: BasePages | undefined;
let outputs: Output[] = [];
/** What the guest has written to its serial ports in this slice, and when it began to. */
const text: readonly number[][] = [[], []];
const textNs: number[] = [0, 0];

async function open(request: OpenRequest): Promise<Reply> {
  const random = new RandomStream(request.seed);
  machine = await Machine.create(
    {
      memoryMiB: request.memoryMiB,
      bios: request.bios,
      vgaBios: request.vgaBios,
      startNs: request.nowNs,
      epochMs: request.epochMs,
      random: () => random.nextUint32(),
    },
    {
      frame: (atNs, data) => outputs.push({ atNs, kind: "frame", port: 0, data }),
      serial: (serial, byte) => addByte(serial, byte, machine!.nowNs),
    },
  );
  image = request.base;
  const state = request.difference ? decodeDifference(basePages(), request.difference) : request.base;
  await machine.restoreState(state, request.nowNs);
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
  for (const input of inputs) {
    if (input.kind === "frame") machine!.receive(input.data);
    else machine!.type(input.port, input.data);
  }
  outputs = [];
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

async function answer(request: Request): Promise<Reply> {
  try {
    if (request.kind === "open") return await open(request).finally(collect);
    if (request.kind === "save") return await save().finally(collect);
    return { kind: "advanced", ...advance(request) };
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}

/** A request may arrive while the one before is still being answered. */
let answering = Promise.resolve();

port.on("message", (request: Request) => {
  answering = answering.then(async () => {
    port.postMessage(await answer(request));
    Atomics.add(answered, 0, 1);
    Atomics.notify(answered, 0);
  });
});
