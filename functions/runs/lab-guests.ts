/** The guests of one run: their images and their states are in the bucket, images also in the folder of images. */
import type { Device, World } from "@wirelab/engine/devices/device";
import type { LinuxSpec } from "@wirelab/engine/devices/linux/spec";
import type { Simulation } from "@wirelab/engine/simulation/simulation";
import { LinuxDevice, type LinuxState } from "@wirelab/linux/device/linux-device";
import type { SavedGuest } from "@wirelab/linux/guest/thread-guest";
import { ThreadHost } from "@wirelab/linux/guest/thread-host";
import { cacheFolder, type ImageFacts, imagesFolder } from "@wirelab/linux/image/image";
import { failureOf } from "../shared/edge/errors.ts";
import { figure, GUEST_LIMITS } from "../shared/edge/figures.ts";
import { GUEST_ERRORS } from "../shared/edge/own-errors.ts";
import type { Guests } from "../shared/run/guests.ts";
import { linuxImageOf } from "../shared/schemas/linux-image.ts";
import { discardGuests, readGuest, storeGuest } from "../shared/store/lab/guest-state.ts";
import type { NodeItem } from "../shared/store/lab/node.ts";
import type { NodeChange } from "../shared/store/run/run-changes.ts";
import { findImage } from "./guest-image.ts";

const NS_PER_SECOND = 1e9;

export class LabGuests implements Guests {
  readonly #projectId: string;
  readonly #folder = imagesFolder(cacheFolder(process.env));
  readonly #states = new Map<string, SavedGuest>();
  readonly #host = new ThreadHost(this.#folder, true, this.#states);
  readonly #images = new Map<string, ImageFacts | undefined>();
  /** As the run has read them, by id. */
  readonly #nodes = new Map<string, NodeItem>();
  /** The nodes that are on, with the memory of their images. */
  readonly #memoryMiB = new Map<string, number>();
  #simulation: Simulation | undefined;

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  get elapsedSeconds(): number {
    return (this.#simulation?.nowNs ?? 0) / NS_PER_SECOND;
  }

  watch(simulation: Simulation): void {
    this.#simulation = simulation;
    this.#memoryMiB.clear();
  }

  async prepare(nodes: Iterable<NodeItem>): Promise<void> {
    for (const node of nodes) {
      if (node.document.node_type !== "linux") continue;
      this.#nodes.set(node.node_id, node);
      const image = linuxImageOf(node.document.properties.image)!;
      if (!this.#images.has(image)) this.#images.set(image, await findImage(this.#folder, image));
      const state = stateOf(node);
      if (node.status !== "stopped" && state !== undefined) await this.#load(node, state, image);
    }
  }

  async #load({ node_id, name }: NodeItem, state: LinuxState, image: string): Promise<void> {
    const digest = this.#images.get(image)?.digest;
    if (digest === undefined || this.#states.has(state.guest)) return;
    const stored = await readGuest(this.#projectId, node_id, state.guest);
    if (stored?.image !== digest) throw failureOf(GUEST_ERRORS, "node.linux-image-changed", { name, image });
    this.#states.set(state.guest, stored);
  }

  readonly makeDevice = (spec: LinuxSpec, world: World, state: unknown): Device => {
    const { name, image } = spec;
    const facts = this.#images.get(image);
    if (facts === undefined) throw failureOf(GUEST_ERRORS, "node.no-linux-image", { name, image });
    this.#memoryMiB.set(name, facts.memoryMiB);
    this.#refuseTooMany();
    return new LinuxDevice(spec, world, this.#host, state as LinuxState | undefined);
  };

  #refuseTooMany(): void {
    const limit = figure(GUEST_LIMITS, "linux_max_guests");
    if (this.#memoryMiB.size > limit) throw failureOf(GUEST_ERRORS, "run.too-many-guests", { limit });
    const amount = this.#memoryMiB.values().reduce((sum, each) => sum + each, 0);
    const mostMemory = figure(GUEST_LIMITS, "linux_max_memory_mb");
    if (amount > mostMemory)
      throw failureOf(GUEST_ERRORS, "run.too-much-memory", { amount, limit: mostMemory });
  }

  async store(changes: readonly NodeChange[]): Promise<void> {
    const stored = changes.map(async ({ node_id, state }) => {
      const guest = guestOf(state.device);
      const saved = guest === undefined ? undefined : this.#states.get(guest);
      if (guest === undefined || saved === undefined || guest === this.#before(node_id)) return;
      const image = linuxImageOf(this.#nodes.get(node_id)!.document.properties.image)!;
      const { digest } = this.#images.get(image)!;
      await storeGuest(this.#projectId, node_id, guest, { ...saved, image: digest });
    });
    await Promise.all(stored);
  }

  async discard(changes: readonly NodeChange[]): Promise<void> {
    const replaced = changes.flatMap(({ node_id, state }) => {
      const before = this.#before(node_id);
      return before === undefined || before === guestOf(state.device) ? [] : [{ node_id, guest: before }];
    });
    await discardGuests(this.#projectId, replaced);
  }

  close(): void {
    this.#host.close();
  }

  #before(nodeId: string): string | undefined {
    const node = this.#nodes.get(nodeId);
    return node && stateOf(node)?.guest;
  }
}

const stateOf = ({ state }: NodeItem): LinuxState | undefined => state?.device as LinuxState | undefined;

const guestOf = (device: unknown): string | undefined => (device as LinuxState | undefined)?.guest;
