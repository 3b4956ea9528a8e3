/** Messages between the view and the worker that plays labs. */
import type { LabReport } from "@wirelab/lab/report/report";
import type { SweepRow } from "./play.ts";

export interface TestRequest {
  readonly kind: "tests" | "sweep";
  readonly archive: Uint8Array;
  readonly text: string;
}

export type TestResponse =
  | { readonly kind: "report"; readonly report: LabReport }
  | { readonly kind: "pairs"; readonly pairs: readonly string[]; readonly rows: number }
  | { readonly kind: "row"; readonly row: SweepRow }
  | { readonly kind: "done" }
  /** In words, a line for each problem. */
  | { readonly kind: "problem"; readonly message: string };
