/// <reference lib="webworker" />
/** Plays labs beside the page, so that the page stays responsive. */
import type { TestRequest, TestResponse } from "./model.ts";
import { pairsOf, playTests, readModel, sweep, sweepRows } from "./play.ts";
import { packetsAround, type Recording, recordTimeline } from "./timeline.ts";

let recording: Recording | undefined;

const post = (response: TestResponse): void => self.postMessage(response);

self.onmessage = ({ data }: MessageEvent<TestRequest>) => {
  if (data.kind === "at") {
    if (recording) post({ kind: "packets", atNs: data.atNs, packets: packetsAround(recording, data.atNs) });
    return;
  }
  try {
    const model = readModel(data.archive, data.text);
    post({ kind: "warnings", warnings: model.warnings ?? [] });
    if (data.kind === "tests") {
      post({ kind: "report", report: playTests(model) });
      recording = recordTimeline(model);
      post({ kind: "timeline", timeline: recording.timeline });
    } else {
      post({ kind: "pairs", pairs: pairsOf(model), rows: sweepRows(model) });
      for (const row of sweep(model)) post({ kind: "row", row });
    }
    post({ kind: "done" });
  } catch (error) {
    post({ kind: "problem", message: error instanceof Error ? error.message : String(error) });
  }
};
