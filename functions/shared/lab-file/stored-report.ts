/** The report of a lab file as a run stores it: with the keys of its captures, whose URLs are made when the report is read. */
import type { LabReport } from "../schemas/lab-report.ts";
import { presignObject } from "../store/base/objects.ts";

type ShownCapture = NonNullable<LabReport["captures"]>[number];

export interface StoredCapture extends Omit<ShownCapture, "url"> {
  /** In the bucket. */
  readonly key: string;
}

export interface StoredReport extends Omit<LabReport, "captures"> {
  readonly captures?: readonly StoredCapture[];
}

/** Presigns a URL for each capture. */
export async function showReport({ captures, ...report }: StoredReport): Promise<LabReport> {
  if (captures === undefined) return report;
  return { ...report, captures: await Promise.all(captures.map(showCapture)) };
}

async function showCapture({ key, ...capture }: StoredCapture): Promise<ShownCapture> {
  const name = key.slice(key.lastIndexOf("/") + 1);
  return { ...capture, url: await presignObject(key, `attachment; filename="${name}"`) };
}
