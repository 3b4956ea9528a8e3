/** A guest: a machine with Linux that runs in a lab's virtual time. The device of a node uses it through this interface. */

export type Input =
  | { readonly kind: "frame"; readonly data: Uint8Array }
  | { readonly kind: "serial"; readonly port: number; readonly data: Uint8Array };

export interface Output {
  /** The guest's clock in nanoseconds. */
  readonly atNs: number;
  readonly kind: "frame" | "serial";
  /** The serial port; 0 for a frame. */
  readonly port: number;
  readonly data: Uint8Array;
}

export interface Advance {
  /** The time to which the guest waits before it gets the inputs; a guest that is ahead of it gets them at its own time. */
  readonly toNs: number;
  readonly inputs: readonly Input[];
}

export interface Advanced {
  readonly nowNs: number;
  /** When the guest goes on by itself: its own time while it computes. */
  readonly wakeNs: number;
  /** In order of time; none is before `toNs`. */
  readonly outputs: readonly Output[];
}

export interface Guest {
  /** The guest's clock in nanoseconds; it goes on where the image or the saved state was saved. */
  readonly nowNs: number;
  /** Runs the guest until it waits, or for about a millisecond of its time. */
  advance(step: Advance): Advanced;
  /** @returns the name of the saved state. */
  save(): string;
}

export interface GuestOptions {
  readonly node: string;
  readonly image: string;
  /** Of the guest's random numbers: four words of 32 bits, not all zero. */
  readonly seed: readonly [number, number, number, number];
  /** The name of a saved state; without it, the guest begins with that of its image. */
  readonly state?: string | undefined;
}

/** Opens guests. A guest that has the name of a node replaces the one before. */
export interface GuestHost {
  /** The shell commands of an image that make a guest into a node, after the node's files are written. */
  configureOf(image: string): readonly string[];
  open(options: GuestOptions): Guest;
}
