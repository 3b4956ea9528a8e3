/** What the packets view and its worker say to each other. */

import type { DataLinkTypeName } from "@wirelab/engine/pcap/index";
import type { Layer } from "@wirelab/engine/wire/details";

/** A capture of a link, as the list of packets shows it. */
export interface Source {
  readonly captureId: string;
  readonly linkId: string;
  /** `PC1 – SW1` */
  readonly name: string;
  readonly linkType: DataLinkTypeName;
}

export interface Row {
  /** The place in the list, from 0. */
  readonly index: number;
  /** The position in its capture, from 1. */
  readonly number: number;
  /** The place of its capture among the sources. */
  readonly source: number;
  /** Since the first packet of all. */
  readonly seconds: number;
  readonly from: string;
  readonly to: string;
  readonly protocol: string;
  readonly length: number;
  readonly info: string;
}

/** Where else a packet was seen. */
export interface Sighting {
  readonly linkId: string;
  readonly seconds: number;
  readonly number: number;
}

export interface Packet {
  readonly row: Row;
  /** Milliseconds since 1970, with fractions. */
  readonly timeMs: number;
  readonly bytes: Uint8Array;
  readonly originalLength: number;
  readonly layers: readonly Layer[];
  /** For each link where it was captured, the sighting next in time. The packet itself is one of them. */
  readonly sightings: readonly Sighting[];
  readonly ttl: number | undefined;
}

export interface FilterProblem {
  readonly message: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly expected: readonly string[];
}

export interface Counts {
  readonly total: number;
  readonly matched: number;
  /** Changes when rows that were shown may be others: another filter, or packets that came late. */
  readonly generation: number;
  /** Captures whose file is damaged, with the reason. */
  readonly damaged: readonly (readonly [source: number, reason: string])[];
}

export type Request =
  | { readonly type: "open"; readonly sources: readonly Source[] }
  | { readonly type: "bytes"; readonly source: number; readonly bytes: Uint8Array }
  | { readonly type: "filter"; readonly expression: string }
  | { readonly type: "rows"; readonly id: number; readonly from: number; readonly count: number }
  | { readonly type: "packet"; readonly id: number; readonly index: number };

export type Response =
  | { readonly type: "counts"; readonly counts: Counts }
  | { readonly type: "filtered"; readonly problem: FilterProblem | undefined }
  | { readonly type: "rows"; readonly id: number; readonly rows: readonly Row[] }
  | { readonly type: "packet"; readonly id: number; readonly packet: Packet | undefined };
