/** Messages between the view and the worker that plays labs. */
import type { LabReport, ShownPacket } from "@wirelab/lab/report/report";
import type { SweepRow } from "./play.ts";
import type { Timeline } from "./timeline.ts";

export type TestRequest =
  | { readonly kind: "tests" | "sweep"; readonly archive: Uint8Array; readonly text: string }
  /** Asks for the packets around a time of the timeline that was played. */
  | { readonly kind: "at"; readonly atNs: number };

export type TestResponse =
  /** What is left out of the lab, in words. */
  | { readonly kind: "warnings"; readonly warnings: readonly string[] }
  | { readonly kind: "report"; readonly report: LabReport }
  | { readonly kind: "pairs"; readonly pairs: readonly string[]; readonly rows: number }
  | { readonly kind: "row"; readonly row: SweepRow }
  | { readonly kind: "timeline"; readonly timeline: Timeline }
  | { readonly kind: "packets"; readonly atNs: number; readonly packets: readonly ShownPacket[] }
  | { readonly kind: "done" }
  /** In words, a line for each problem. */
  | { readonly kind: "problem"; readonly message: string };
