/** Runs a lab file: here, or in the function `guests` if it has Linux nodes. */
import type { Operation } from "../shared/edge/operation.ts";
import { type StoredReport, showReport } from "../shared/lab-file/stored-report.ts";
import { LAB_FILES } from "../shared/run/stored-run.ts";
import { refuseForService } from "./refuse-for-service.ts";
import type { group } from "./routes.ts";

export const runLabFile: Operation<typeof group.routes.runLabFile> = async (request) => {
  const { body, query, remainingTimeMs } = request;
  // Loaded on first use, because most of it is the engine.
  const { ANY_IMAGE, hasGuests, playLabFile, readModel } = await import("./lab.ts");
  const file = readModel(body, ANY_IMAGE);
  refuseForService(file);
  if (!hasGuests(file)) return show(await playLabFile(file, query, remainingTimeMs));
  const { startRun } = await import("../shared/run/start-run.ts");
  const stored = { file: new TextDecoder().decode(body), query };
  const answer = await startRun("runLabFile", {
    ...request,
    params: { project_id: LAB_FILES },
    body: stored,
  } as never);
  return answer.status === 200 ? show(answer.body as StoredReport) : (answer as never);
};

const show = async (report: StoredReport) => ({
  status: 200 as const,
  // Uncompressed, so that the local gateway finds the URLs: infra/local/presigned.ts.
  ...(report.captures && { headers: { "content-encoding": "identity" } }),
  body: await showReport(report),
});
