/** A guest: a machine with Linux that runs in a lab's virtual time. The device of a node uses it through this interface. */

/** A frame of the network card, bytes of a serial port, or, without data, a frame that the card has dropped; that is only an output. */
export interface Message {
  readonly kind: "frame" | "serial" | "drop";
  /** The serial port; 0 for a frame. */
  readonly port: number;
  readonly data: Uint8Array;
}

export interface Output extends Message {
  /** The guest's clock in nanoseconds. */
  readonly atNs: number;
}

export interface Advance {
  /** The time to which the guest waits before it gets the inputs; a guest that is ahead of it gets them at its own time. */
  readonly toNs: number;
  readonly inputs: readonly Message[];
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
  /** Runs the guest until it waits, or for about a millisecond of its time. While it computes, inputs wait for up to two such slices. */
  advance(step: Advance): Advanced;
  save(): Saved;
  /** The node is configured. The guest goes on as one that is opened with its state of now, which a later play may begin with. */
  checkpoint(): void;
}

export interface Saved {
  /** The name of the saved state. */
  readonly state: string;
  /** What the guest has put out, and the simulation has not taken. */
  readonly outputs: readonly Message[];
  /** What the guest has not been given. */
  readonly inputs: readonly Message[];
}

export interface GuestOptions {
  readonly node: string;
  readonly image: string;
  /** The seed of the guest's random numbers: four words of 32 bits, not all zero. */
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
