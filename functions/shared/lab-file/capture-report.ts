/** Stores the captures of a lab that was played. The bucket's lifecycle rule deletes them: infra/bucket.ts. */
import { captureLab } from "@wirelab/lab/capture/capture-lab";
import type { Expectation } from "@wirelab/lab/model/expectation";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import type { LabReport } from "@wirelab/lab/report/report";
import type { ProcessorTime } from "../run/processor-time.ts";
import { putObject } from "../store/base/objects.ts";
import type { StoredCapture } from "./stored-report.ts";

const MAX_CAPTURES = 5;
const MAX_BYTES = 4 * 1024 * 1024;

export interface CaptureReportOptions {
  readonly kind: "failed" | "lab";
  /** Counts the time of the captures, too. */
  readonly computing: ProcessorTime;
  /** A capture that is not complete by then is left out, and so are those after it. */
  readonly isOutOfTime: () => boolean;
}

export async function captureReport(
  model: LabModel,
  report: LabReport,
  { kind, computing, isOutOfTime }: CaptureReportOptions,
): Promise<StoredCapture[]> {
  const id = crypto.randomUUID();
  const captures: StoredCapture[] = [];
  for (const { verdict, expectation } of wantedCaptures(model, report, kind)) {
    const bytes = computing.during(() =>
      captureLab(model, { expectation, maxBytes: MAX_BYTES, isOutOfTime }),
    );
    if (isOutOfTime()) break;
    const name = verdict === null ? "lab" : `expectation-${verdict + 1}`;
    const key = `labs/${id}/${name}.pcapng`;
    await putObject(key, bytes, "application/x-pcapng");
    captures.push({ verdict, key, bytes: bytes.length });
  }
  return captures;
}

interface Wanted {
  readonly verdict: number | null;
  readonly expectation: Expectation | undefined;
}

function wantedCaptures(model: LabModel, { verdicts }: LabReport, kind: "failed" | "lab"): Wanted[] {
  if (kind === "lab") return [{ verdict: null, expectation: undefined }];
  return verdicts
    .flatMap(({ status }, verdict) =>
      status === "failed" ? [{ verdict, expectation: model.expectations[verdict]! }] : [],
    )
    .slice(0, MAX_CAPTURES);
}
