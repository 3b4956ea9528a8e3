/** What a simulation is made of: nodes and links, as they are handed in before or during a run. */
import type { Recorded, TapSettings } from "../capture-tap.ts";
import type { DeviceSpec } from "../devices/make-device.ts";
import type { ChainState } from "../filters/chain.ts";
import type { FilterSettings, PacketPredicate } from "../filters/index.ts";
import type { StreamState } from "../random.ts";

export type PowerStatus = "stopped" | "started" | "suspended";

/** A node's memory between runs; plain JSON data. */
export interface NodeState {
  readonly device?: unknown;
  readonly random: StreamState;
}

/** Where a port leads. */
export interface Wire {
  readonly linkId: string;
  /** Undefined for a link with one end. */
  readonly peerId: string | undefined;
}

export interface LabNode {
  readonly id: string;
  readonly name: string;
  readonly status: PowerStatus;
  /** Undefined for a node that is a record only: it is never on. */
  readonly spec: DeviceSpec | undefined;
  /** Absent for a node that never ran; a started one then starts when it joins the run. */
  readonly state?: NodeState | undefined;
  /** By port number. */
  readonly wires: ReadonlyMap<number, Wire>;
}

export interface LinkFilters {
  readonly settings: FilterSettings;
  readonly bpfPredicates: readonly PacketPredicate[];
}

/** A link's memory between runs: where the filters of each direction stand. */
export interface LinkState {
  readonly "a-to-b"?: ChainState;
  readonly "b-to-a"?: ChainState;
}

export interface LinkTap {
  readonly settings: TapSettings;
  /** What the capture holds already. */
  readonly soFar: Recorded;
}

export interface LabLink {
  readonly id: string;
  /** Names the link's random streams: equal labs have equal names, whatever their ids. */
  readonly streamName: string;
  readonly ends: readonly { readonly nodeId: string; readonly port: number }[];
  readonly filters: LinkFilters;
  readonly suspended: boolean;
  readonly state?: LinkState | undefined;
  /** Set while the link captures. */
  readonly tap?: LinkTap | undefined;
}
