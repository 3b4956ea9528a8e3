/**
 * The guests of Linux nodes during a run. Only the function `guests` has any: a run of another function that meets a Linux node which is
 * on ends with `node.needs-guests`, before it has changed anything, and the routes of runs then have that function run it
 * (functions/runs/guests.ts), and consoles have it carry on (functions/sockets/console/hand-over.ts).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { LinuxSpec } from "@wirelab/engine/devices/linux/spec";
import type { Simulation } from "@wirelab/engine/simulation/simulation";
import type { NodeChange } from "../store/commit/run-changes.ts";
import type { NodeItem } from "../store/lab/node.ts";

export interface StoredGuests {
  /** The keys of the objects that were written. */
  readonly keys: readonly string[];
  /** The changes with the bytes of the states. */
  readonly changes: readonly NodeChange[];
}

export interface Guests {
  /**
   * Reads the images and the states of nodes, before they join the run.
   * @returns false when the lab has changed since the nodes were read.
   * @throws ApiError for a node that cannot run here.
   */
  prepare(nodes: Iterable<NodeItem>): Promise<boolean>;
  /** Lab time of the run. */
  readonly elapsedSeconds: number;
  readonly makeDevice: NonNullable<LinuxSpec["makeDevice"]>;
  /** The simulation that runs now. A run that starts again has another. */
  watch(simulation: Simulation): void;
  /** Stores the states that the changes name. */
  store(changes: readonly NodeChange[]): Promise<StoredGuests>;
  /** Deletes the states that the committed changes replaced. */
  discard(changes: readonly NodeChange[]): Promise<void>;
}

const current = new AsyncLocalStorage<Guests>();

/** Lab runs that `call` starts have these guests. */
export const withGuests = <T>(guests: Guests, call: () => Promise<T>): Promise<T> =>
  current.run(guests, call);

/** Undefined in other functions. */
export const currentGuests = (): Guests | undefined => current.getStore();
