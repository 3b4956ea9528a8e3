/** The outcome of a lab: plain JSON data. */
import type { Place } from "../model/place.ts";

/** `undecided`: a run ended at a limit, or the lab could not show it. */
export type Status = "passed" | "failed" | "undecided";

/** A frame on a link, decoded. */
export interface ShownPacket {
  /** Lab seconds on the timeline; negative while the nodes boot. */
  readonly at: number;
  readonly link: string;
  readonly from: string;
  readonly to: string;
  readonly summary: string;
  /** `arrived`, `in flight`, or the filter that dropped it: `dropped by packet_loss`. */
  readonly fate: string;
}

/** Where a packet ended, and why. */
export interface Death {
  /** A link's or node's name. */
  readonly where: string;
  readonly why: string;
  readonly at: number;
}

export interface Evidence {
  /** The last packets that matter, in order of time. */
  readonly packets: readonly ShownPacket[];
  readonly death: Death | undefined;
}

export interface Verdict {
  readonly name: string;
  readonly kind: string;
  readonly status: Status;
  /** In words: `a reply within 3 tries`. */
  readonly expected: string;
  readonly got: string;
  readonly place: Place | undefined;
  /** Present unless it passed. */
  readonly evidence: Evidence | undefined;
}

export interface LinkCount {
  readonly link: string;
  readonly from: string;
  readonly to: string;
  readonly entered: number;
  readonly delivered: number;
  readonly dropped: number;
  readonly corrupted: number;
  readonly inFlight: number;
  readonly deliveredBytes: number;
}

export interface Transcript {
  readonly node: string;
  /** Lab seconds on the timeline. */
  readonly at: number;
  readonly output: string;
  readonly status: string;
}

export interface LabReport {
  readonly name: string;
  readonly seed: string;
  readonly status: Status;
  readonly verdicts: readonly Verdict[];
  /** What no verdict is about, in words, with its place; absent if there is nothing. */
  readonly unchecked?: readonly string[];
  /** Lab seconds that the nodes took to boot, and of the timeline. */
  readonly bootSeconds: number;
  readonly labSeconds: number;
  readonly events: number;
  readonly packets: number;
  /** Fingerprint of all frames and all console text of the boot and the timeline. */
  readonly digest: string;
  /** Of the runs of all probes as well. Two seeds with the same one are the same run. */
  readonly fingerprint: string;
  /** The limit at which the run ended. */
  readonly limit: string | undefined;
  /** In words, why the lab has booted, or has ended, although a routing protocol still changed; absent if none did. */
  readonly unsettled?: string;
  /** The switches and hubs between which packets looped. */
  readonly loop: readonly string[] | undefined;
  /** Programs that a node was to run at its start and that have failed: node, place, command, exit status, output. Absent if none has. */
  readonly failures?: readonly string[];
  readonly transcripts: readonly Transcript[];
  readonly links: readonly LinkCount[];
}
