/** The guests of one run: their images and their states are in the bucket, images also in the folder of images. */

import type { Device, World } from "@wirelab/engine/devices/device";
import { isGuestType } from "@wirelab/engine/devices/find-kind";
import type { LinuxSpec } from "@wirelab/engine/devices/linux/spec";
import type { Simulation } from "@wirelab/engine/simulation/simulation";
import { LinuxDevice, type LinuxState } from "@wirelab/linux/device/linux-device";
import { ThreadHost } from "@wirelab/linux/guest/thread-host";
import { cacheFolder, type ImageFacts, imagesFolder } from "@wirelab/linux/image/image";
import { failure, failureOf } from "../shared/edge/errors.ts";
import { figure, GUEST_LIMITS } from "../shared/edge/figures.ts";
import { GUEST_ERRORS } from "../shared/edge/own-errors/guest.ts";
import type { Guests, StoredGuests } from "../shared/run/guests.ts";
import { linuxImageOf } from "../shared/schemas/linux-image.ts";
import { discardObjects } from "../shared/store/base/objects.ts";
import { forEachParallel } from "../shared/store/base/parallel.ts";
import type { NodeChange } from "../shared/store/commit/run-changes.ts";
import { guestKey, guestOf, newGuestName, readGuest, storeGuest } from "../shared/store/lab/guest-state.ts";
import type { NodeItem } from "../shared/store/lab/node.ts";
import { findImage } from "./guest-image.ts";

const NS_PER_SECOND = 1e9;
const MEBIBYTE = 2 ** 20;
/** Each is copied while it is stored. */
const PARALLEL_STATES = 2;
const LOST =
  "the state of its guest is missing from the bucket; close the project, open it and start the node again";

interface StoredState {
  readonly key?: string;
  readonly bytes?: number;
}

export class LabGuests implements Guests {
  readonly #projectId: string;
  readonly #folder = imagesFolder(cacheFolder(process.env));
  readonly #host = new ThreadHost(this.#folder, { newName: newGuestName });
  /** Names of states that were not there when a run read its nodes. */
  readonly #absent = new Set<string>();
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

  async prepare(nodes: Iterable<NodeItem>): Promise<boolean> {
    for (const node of nodes) {
      if (!isGuestType(node.document.node_type)) continue;
      this.#nodes.set(node.node_id, node);
      const image = linuxImageOf(node.document.properties.image)!;
      if (!this.#images.has(image)) this.#images.set(image, await findImage(this.#folder, image));
      const state = stateOf(node);
      const isOn = node.status !== "stopped" && state !== undefined;
      if (isOn && !(await this.#load(node, state, image))) return false;
    }
    return true;
  }

  /** @returns false when the state is gone: another run, or the restore of a snapshot, has replaced it. */
  async #load({ node_id, name }: NodeItem, { guest }: LinuxState, image: string): Promise<boolean> {
    const digest = this.#images.get(image)?.digest;
    if (digest === undefined || this.#host.stateOf(guest)) return true;
    const stored = await readGuest(this.#projectId, node_id, guest);
    if (stored === undefined) {
      // A node that is read again has the name of the state that replaced it.
      if (this.#absent.has(guest)) throw failure("store.damaged", { what: `node ${name}`, detail: LOST });
      this.#absent.add(guest);
      return false;
    }
    if (stored.image !== digest) throw failureOf(GUEST_ERRORS, "node.linux-image-changed", { name, image });
    this.#host.keep(guest, stored);
    return true;
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

  async store(changes: readonly NodeChange[]): Promise<StoredGuests> {
    this.#refuseLargeStates(changes);
    const stored = new Map<NodeChange, StoredState>();
    await forEachParallel(changes, PARALLEL_STATES, async (change) => {
      stored.set(change, await this.#store(change));
    });
    return {
      keys: changes.flatMap((change) => stored.get(change)!.key ?? []),
      changes: changes.map((change) => this.#withBytes(change, stored.get(change)!.bytes)),
    };
  }

  /** Each state is in memory from here on, so the function would end if there were more. */
  #refuseLargeStates(changes: readonly NodeChange[]): void {
    const limit = figure(GUEST_LIMITS, "linux_max_state_mb");
    let bytes = 0;
    for (const change of changes) {
      const guest = guestOf(change);
      bytes += (guest === undefined ? undefined : this.#host.stateOf(guest))?.difference.length ?? 0;
      if (bytes <= limit * MEBIBYTE) continue;
      throw failureOf(GUEST_ERRORS, "run.too-much-state", { amount: Math.ceil(bytes / MEBIBYTE), limit });
    }
  }

  /** @returns the state's bytes, and its key if it was written; the bytes are undefined if the run has not changed the state. */
  async #store(change: NodeChange): Promise<StoredState> {
    const { node_id } = change;
    const guest = guestOf(change);
    if (guest === undefined) return { bytes: 0 };
    const saved = guest === this.#before(node_id) ? undefined : this.#host.stateOf(guest);
    if (saved === undefined) return {};
    const image = linuxImageOf(this.#nodes.get(node_id)!.document.properties.image)!;
    const { digest } = this.#images.get(image)!;
    const bytes = await storeGuest(this.#projectId, node_id, guest, { ...saved, image: digest });
    return { key: guestKey(this.#projectId, node_id, guest), bytes };
  }

  #withBytes(change: NodeChange, bytes: number | undefined): NodeChange {
    const before = this.#nodes.get(change.node_id)?.guest_bytes;
    const after = bytes ?? before;
    return after === undefined || (before === undefined && after === 0)
      ? change
      : { ...change, guestBytes: { before, after } };
  }

  async discard(changes: readonly NodeChange[]): Promise<void> {
    const replaced = changes.flatMap((change) => {
      const { node_id } = change;
      const before = this.#before(node_id);
      return before === undefined || before === guestOf(change)
        ? []
        : [guestKey(this.#projectId, node_id, before)];
    });
    if (replaced.length > 0) await discardObjects(replaced);
  }

  close(): void {
    this.#host.close();
  }

  #before(nodeId: string): string | undefined {
    const node = this.#nodes.get(nodeId);
    return node && guestOf(node);
  }
}

const stateOf = ({ state }: NodeItem): LinuxState | undefined => state?.device as LinuxState | undefined;
