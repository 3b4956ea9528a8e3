/** A lab as a test: what a lab file, a containerlab topology or a test in TypeScript is read into. Plain data, checked. */

import type { DeviceSpec } from "@wirelab/engine/devices/readers";
import type { FilterSettings, PacketPredicate } from "@wirelab/engine/link/filters/index";
import type { Impairments } from "@wirelab/engine/link/impairments/index";
import type { Quiet } from "@wirelab/engine/simulation/quiet";
import type { Expectation } from "./expectation.ts";
import type { Outside } from "./outside.ts";
import type { Place } from "./place.ts";

export interface LabModel {
  readonly name: string;
  readonly seed: string;
  /** The lab's clock at power-on: microseconds since 1970. */
  readonly startUs: number;
  readonly nodes: readonly NodeModel[];
  readonly links: readonly LinkModel[];
  /** In order of time. */
  readonly events: readonly LabEvent[];
  readonly expectations: readonly Expectation[];
  /** Lab time of the timeline; undefined until no event is left. */
  readonly durationNs: number | undefined;
  readonly limits: Partial<LabLimits>;
  /** How long routing is waited for; see the engine's `simulation/quiet.ts`. */
  readonly quiet: Quiet;
  /** Whether neighbours that routers' configurations promise are checked. */
  readonly checksNeighbours?: boolean;
  /** Remarks about the file that do not keep it from being played. */
  readonly warnings?: readonly string[];
}

/** Limits of one run of the lab; see the engine's RunLimits. */
export interface LabLimits {
  readonly events: number;
  readonly packets: number;
  readonly labSeconds: number;
}

export interface NodeModel {
  readonly name: string;
  readonly spec: DeviceSpec;
  /** In the words of the interface: the service makes the same node from them. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** Keys of the file for which the interface has no property. */
  readonly beyond?: readonly string[];
  /** Names of the ports, by port number. */
  readonly ports: readonly string[];
  readonly isStarted: boolean;
  /** The addresses that the file gives the node; a lease or the console may change them. */
  readonly addresses: readonly string[];
  /** The wire of a cloud while the lab runs live; a run in virtual time has no such wire. */
  readonly outside?: Outside | undefined;
  /** Files of the node that are read at the end. */
  readonly collect?: readonly WantedFile[];
  readonly place: Place | undefined;
}

export interface WantedFile {
  /** From the root of the node's file system, without a slash at its beginning. */
  readonly path: string;
  readonly place: Place | undefined;
}

export interface LinkEnd {
  readonly node: string;
  readonly port: number;
}

export interface CompiledFilters {
  readonly settings: FilterSettings;
  readonly bpfPredicates: readonly PacketPredicate[];
}

/** What a link does beyond its filters. */
export interface CompiledImpairments {
  /** As the file has them. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly impairments: Impairments;
}

export interface LinkModel {
  /** Unique in the lab: `pc1-sw1` unless the file names it. */
  readonly name: string;
  readonly ends: readonly [LinkEnd, LinkEnd];
  readonly filters: CompiledFilters;
  /** Their schedule begins with the timeline. */
  readonly impairments?: CompiledImpairments | undefined;
  readonly isDown: boolean;
  readonly place: Place | undefined;
}

export type PowerName = "start" | "stop" | "suspend" | "reload";

/** What an event does. */
export type Deed =
  | { readonly kind: "console"; readonly node: string; readonly commands: readonly string[] }
  | { readonly kind: "link"; readonly link: string; readonly isDown: boolean }
  | { readonly kind: "filters"; readonly link: string; readonly filters: CompiledFilters }
  | {
      readonly kind: "impairments";
      readonly link: string;
      /** Null removes them. */
      readonly impairments: CompiledImpairments | null;
    }
  | { readonly kind: "power"; readonly node: string; readonly action: PowerName }
  | {
      readonly kind: "replay";
      readonly from: LinkEnd;
      readonly file: string;
      readonly frames: readonly { readonly offsetNs: number; readonly data: Uint8Array }[];
    };

/** An entry of the timeline. */
export interface LabEvent {
  /** Lab time since the timeline's start, which is when all nodes have booted. */
  readonly atNs: number;
  /** The name by which `after` refers to it. */
  readonly name: string;
  readonly deeds: readonly Deed[];
  readonly place: Place | undefined;
}
