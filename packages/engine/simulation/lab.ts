/** The nodes and links of a simulation, as the caller passes them before or during a run. */

import type { StreamState } from "../base/random.ts";
import type { DeviceSpec } from "../devices/readers.ts";
import type { Recorded, TapSettings } from "../link/capture-tap.ts";
import type { ChainState } from "../link/filters/chain.ts";
import type { FilterSettings, PacketPredicate } from "../link/filters/index.ts";
import type { ImpairedState, Impairments } from "../link/impairments/index.ts";

export type PowerStatus = "stopped" | "started" | "suspended";

/** A node's state between runs; plain JSON data. */
export interface NodeState {
  readonly device?: unknown;
  /** Absent for a node that has never run: its state then has the files that a client stored on it. */
  readonly random?: StreamState | undefined;
}

/** The link at a port and the node behind it. */
export interface Wire {
  readonly linkId: string;
  /** Undefined for a link with one end. */
  readonly peerId: string | undefined;
}

export interface LabNode {
  readonly id: string;
  readonly name: string;
  readonly status: PowerStatus;
  /** Undefined for a node that is only a record: it is never on. */
  readonly spec: DeviceSpec | undefined;
  /** Absent for a node that has never run; if its status is started, it boots when it joins the run. */
  readonly state?: NodeState | undefined;
  /** By port number. */
  readonly wires: ReadonlyMap<number, Wire>;
}

export interface LinkFilters {
  readonly settings: FilterSettings;
  readonly bpfPredicates: readonly PacketPredicate[];
}

export interface LinkImpairments {
  readonly impairments: Impairments;
  /**
   * The lab's clock when they were set, in microseconds since 1970: the zero of their schedule. A different value starts the schedule
   * anew; without one it begins with the first run.
   */
  readonly sinceUs?: number | undefined;
  /** As the client sent them, for a caller that stores them. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** A link's state between runs: the filter positions of each direction, and the state of the impairments. */
export interface LinkState {
  readonly "a-to-b"?: ChainState;
  readonly "b-to-a"?: ChainState;
  readonly impairments?: { readonly "a-to-b": ImpairedState; readonly "b-to-a": ImpairedState };
}

export interface LinkTap {
  readonly settings: TapSettings;
  /** The existing content of the capture. */
  readonly soFar: Recorded;
}

export interface LabLink {
  readonly id: string;
  /** The name of the link's random streams: equal labs have equal names, independent of ids. */
  readonly streamName: string;
  readonly ends: readonly { readonly nodeId: string; readonly port: number }[];
  readonly filters: LinkFilters;
  readonly suspended: boolean;
  readonly impairments?: LinkImpairments | undefined;
  readonly state?: LinkState | undefined;
  /** Set while a capture is active on the link. */
  readonly tap?: LinkTap | undefined;
}
