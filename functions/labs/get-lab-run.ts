import type { Operation } from "../shared/edge/operation.ts";
import { type StoredReport, showReport } from "../shared/lab-file/stored-report.ts";
import { showRun } from "../shared/run/show-run.ts";
import { LAB_FILES } from "../shared/run/stored-run.ts";
import type { group } from "./routes.ts";

export const getLabRun: Operation<typeof group.routes.getLabRun> = async ({ access, query }) => {
  const run = await showRun(access, LAB_FILES, query.run_id);
  const answer = run.answer && { ...run.answer, body: await showReport(run.answer.body as StoredReport) };
  return {
    status: 200,
    // Uncompressed, so that the local gateway finds the URLs of captures: infra/local/presigned.ts.
    headers: { "content-encoding": "identity" },
    body: { ...run, answer },
  };
};
