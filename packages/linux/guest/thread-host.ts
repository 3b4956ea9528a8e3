/** Opens guests of images, and keeps their saved states, while a program runs. */
import { createHash } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { type Image, readImage } from "../image/image.ts";
import { ThreadChannel } from "./channel.ts";
import { collect } from "./collect.ts";
import type { Guest, GuestHost, GuestOptions } from "./guest.ts";
import { type SavedGuest, ThreadGuest } from "./thread-guest.ts";

/** The bytes of a function's code, about, that run before V8 compiles it again; V8's default is 13 million. */
const TIERING_BUDGET = 2_000_000_000;

export class ThreadHost implements GuestHost {
  readonly #folder: string;
  readonly #images = new Map<string, Image>();
  readonly #guests = new Map<string, ThreadGuest>();
  readonly #states: Map<string, SavedGuest>;
  readonly #isParallel: boolean;
  readonly #nameOf: (digest: string) => string;

  /**
   * @param folder of the images.
   * @param isParallel whether guests compute at the same time; what they put out is the same.
   * @param states those that guests may begin with, by name; gets those that are saved.
   * @param nameOf returns the name of a state by its digest; default the digest.
   */
  constructor(
    folder: string,
    isParallel = true,
    states = new Map<string, SavedGuest>(),
    nameOf = (digest: string) => digest,
  ) {
    this.#folder = folder;
    this.#states = states;
    this.#nameOf = nameOf;
    this.#isParallel = isParallel;
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
    const saved = state === undefined ? undefined : this.#states.get(state);
    if (state !== undefined && saved === undefined)
      throw new Error(`${node}: the state ${state} is not here`);
    this.#guests.get(node)?.close();
    const guest = new ThreadGuest(
      node,
      {
        kind: "open",
        memoryMiB: image.memoryMiB,
        bios: image.bios,
        vgaBios: image.vgaBios,
        base: image.state,
        epochMs: image.epochMs,
        seed,
        nowNs: saved?.nowNs ?? image.nowNs,
        difference: saved?.difference,
      },
      new ThreadChannel({ isParallel: this.#isParallel }),
      (each) => this.#keep(each),
    );
    this.#guests.set(node, guest);
    return guest;
  }

  close(): void {
    for (const guest of this.#guests.values()) guest.close();
    this.#guests.clear();
  }

  #keep(saved: SavedGuest): string {
    const name = this.#nameOf(digestOf(saved));
    this.#states.set(name, saved);
    return name;
  }
}

export const digestOf = ({ difference, nowNs }: SavedGuest): string =>
  createHash("sha256").update(difference).update(String(nowNs)).digest("hex");
