/** Plays a lab with a log of all frames. Pure: no files, no clock, no network. */
import { captureOf } from "./capture/capture-lab.ts";
import type { LabModel } from "./model/lab-model.ts";
import { FrameLog } from "./play/frame-log.ts";
import { play } from "./play/play.ts";
import type { LabReport } from "./report/report.ts";
import { toReport } from "./run-lab.ts";

/** Plays a lab once and judges nothing. @returns the report, without verdicts, and the capture of all links. */
export function recordLab(
  model: LabModel,
  options: { readonly seed?: string } = {},
): { readonly report: LabReport; readonly capture: Uint8Array } {
  const [boot, timeline] = [new FrameLog(), new FrameLog()];
  const played = play(model, { ...options, watchers: { boot, timeline } });
  return { report: toReport(played, []), capture: captureOf(played, boot, timeline) };
}
