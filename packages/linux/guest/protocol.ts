/** What the thread of a guest is asked, and answers. */
import type { KernelPlaces } from "../machine/kernel-timers.ts";
import type { Advance, Advanced } from "./guest.ts";

export interface OpenRequest {
  readonly kind: "open";
  readonly memoryMiB: number;
  readonly bios: Uint8Array;
  readonly vgaBios: Uint8Array;
  /** The image's state, in memory that all threads share. */
  readonly base: Uint8Array;
  readonly epochMs: number;
  readonly seed: readonly [number, number, number, number];
  readonly nowNs: number;
  /** Where the image's kernel has its timers; undefined if they were not found. */
  readonly places: KernelPlaces | undefined;
  /** The difference of a saved state from the image's. */
  readonly difference: Uint8Array | undefined;
}

export type AdvanceRequest = { readonly kind: "advance" } & Advance;

/** The machine goes on as a new one that has restored its state of now. */
export interface ResumeRequest {
  readonly kind: "resume";
  readonly seed: readonly [number, number, number, number];
  readonly nowNs: number;
}

/** `checkpoint`: the machine goes on as a new one that has restored its state of now, with the seed with which it was opened. */
export type Request =
  | OpenRequest
  | ResumeRequest
  | AdvanceRequest
  | { readonly kind: "save" }
  | { readonly kind: "checkpoint" };

export type Reply =
  | { readonly kind: "opened" }
  | ({ readonly kind: "advanced" } & Advanced)
  | { readonly kind: "saved"; readonly difference: Uint8Array; readonly nowNs: number }
  | { readonly kind: "failed"; readonly message: string };
