/** Opens guests of images, and keeps their saved states, while a program runs. */
import { setFlagsFromString } from "node:v8";
import { type Image, readImage } from "../image/image.ts";
import { type Channel, ThreadChannel } from "./channel.ts";
import { collect } from "./collect.ts";
import { ConfiguredChannel } from "./configured-channel.ts";
import type { Guest, GuestHost, GuestOptions } from "./guest.ts";
import type { OpenRequest } from "./protocol.ts";
import { openRecordings } from "./recording-folder.ts";
import { type SavedGuest, type StateKeeper, ThreadGuest } from "./thread-guest.ts";

/** The bytes of a function's code, about, that run before V8 compiles it again; V8's default is 13 million. */
const TIERING_BUDGET = 2_000_000_000;

export interface HostOptions {
  /** Whether guests compute at the same time; default true. What they put out is the same. */
  readonly isParallel?: boolean;
  /** Returns a name for a state. */
  readonly newName?: () => string;
  /** The folder of guests that were configured before; without it, each is configured again. What they put out is the same. */
  readonly configured?: string | undefined;
}

export class ThreadHost implements GuestHost, StateKeeper {
  readonly #folder: string;
  readonly #images = new Map<string, Image>();
  readonly #guests = new Map<string, ThreadGuest>();
  readonly #states = new Map<string, SavedGuest>();
  readonly #isParallel: boolean;
  readonly #configured: string | undefined;
  readonly newName: () => string;

  /** @param folder of the images. */
  constructor(folder: string, { isParallel = true, newName = makeNumbers(), configured }: HostOptions = {}) {
    this.#folder = folder;
    this.newName = newName;
    this.#isParallel = isParallel;
    this.#configured = configured;
    // V8's second compiler takes some seconds for the emulator's large functions: it starts only for those that run for long
    // (docs/linux-nodes.md).
    setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
  }

  /** @throws ImageError if there is no such image. */
  image(name: string): Image {
    let image = this.#images.get(name);
    if (image === undefined) {
      image = readImage(this.#folder, name);
      this.#images.set(name, image);
      collect();
    }
    return image;
  }

  configureOf(image: string): readonly string[] {
    return this.image(image).configure;
  }

  open({ node, image: name, seed, state }: GuestOptions): Guest {
    const image = this.image(name);
    const before = this.#guests.get(node);
    const guest =
      state !== undefined && before?.isAt(state)
        ? before.resume(seed)
        : this.#begin({ node, image, seed, state }, before);
    this.#guests.set(node, guest);
    return guest;
  }

  #begin({ node, image, seed, state }: BeginOptions, before: ThreadGuest | undefined): ThreadGuest {
    before?.keep();
    const saved = state === undefined ? undefined : this.#states.get(state);
    if (state !== undefined && saved === undefined)
      throw new Error(`${node}: the state ${state} is not here`);
    before?.close();
    const request: OpenRequest = {
      kind: "open",
      memoryMiB: image.memoryMiB,
      bios: image.bios,
      vgaBios: image.vgaBios,
      base: image.state,
      epochMs: image.epochMs,
      seed,
      places: image.places,
      nowNs: saved?.nowNs ?? image.nowNs,
      difference: saved?.difference,
    };
    return new ThreadGuest(node, request, this.#channelFor(image, request), this, state);
  }

  #channelFor(image: Image, request: OpenRequest): Channel {
    const begin = () => new ThreadChannel({ isParallel: this.#isParallel });
    return this.#configured === undefined || request.difference !== undefined
      ? begin()
      : new ConfiguredChannel(openRecordings(this.#configured, image, request), begin);
  }

  /** Ends the threads. States that were saved can be opened again. */
  pause(): void {
    for (const guest of this.#guests.values()) {
      try {
        guest.keep();
      } catch {
        // A guest that has failed has no state.
      }
    }
    this.close();
  }

  /** Ends the threads, and with them the states that are there only. */
  close(): void {
    for (const guest of this.#guests.values()) guest.close();
    this.#guests.clear();
  }

  keep(name: string, saved: SavedGuest): void {
    this.#states.set(name, saved);
  }

  /** @returns undefined for a name that was not given. @throws GuestError if the guest with the state has failed. */
  stateOf(name: string): SavedGuest | undefined {
    for (const guest of this.#guests.values()) if (guest.isAt(name)) guest.keep();
    return this.#states.get(name);
  }
}

interface BeginOptions extends Omit<GuestOptions, "image"> {
  readonly image: Image;
}

function makeNumbers(): () => string {
  let last = 0;
  return () => String(++last);
}
