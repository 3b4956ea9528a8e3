/// <reference lib="webworker" />
/** Plays labs beside the page, so that the page stays responsive. */
import type { TestRequest, TestResponse } from "./model.ts";
import { pairsOf, playTests, readModel, sweep, sweepRows } from "./play.ts";

const post = (response: TestResponse): void => self.postMessage(response);

self.onmessage = ({ data }: MessageEvent<TestRequest>) => {
  try {
    const model = readModel(data.archive, data.text);
    if (data.kind === "tests") post({ kind: "report", report: playTests(model) });
    else {
      post({ kind: "pairs", pairs: pairsOf(model), rows: sweepRows(model) });
      for (const row of sweep(model)) post({ kind: "row", row });
    }
    post({ kind: "done" });
  } catch (error) {
    post({ kind: "problem", message: error instanceof Error ? error.message : String(error) });
  }
};
