/** Runs a lab file: here, or in the function `guests` if it has Linux nodes. */
import type { Operation } from "../shared/edge/operation.ts";
import { checkGuests } from "../shared/lab-file/check-guests.ts";
import { ANY_IMAGE, hasGuests } from "../shared/lab-file/lab-guests.ts";
import { playLabFile } from "../shared/lab-file/play-lab-file.ts";
import { readModel } from "../shared/lab-file/read-model.ts";
import { type StoredReport, showReport } from "../shared/lab-file/stored-report.ts";
import { startRun } from "../shared/run/start-run.ts";
import { LAB_FILES } from "../shared/run/stored-run.ts";
import { refuseForService } from "./refuse-for-service.ts";
import type { group } from "./routes.ts";

export const runLabFile: Operation<typeof group.routes.runLabFile> = async (request) => {
  const { body, query, remainingTimeMs } = request;
  const file = readModel(body, ANY_IMAGE);
  refuseForService(file);
  if (!hasGuests(file)) return show(await playLabFile(file, query, remainingTimeMs));
  // The client reads what is wrong with its file at once, also if it does not wait for the run.
  await checkGuests(body);
  const stored = { file: new TextDecoder().decode(body), query };
  const answer = await startRun("runLabFile", {
    ...request,
    params: { project_id: LAB_FILES },
    body: stored,
  } as never);
  if (answer.status !== 200) return answer as never;
  const shown = await show(answer.body as StoredReport);
  return { ...shown, headers: { ...answer.headers, ...shown.headers } };
};

const show = async (report: StoredReport) => ({
  status: 200 as const,
  // Uncompressed, so that the local gateway finds the URLs: infra/local/presigned.ts.
  ...(report.captures && { headers: { "content-encoding": "identity" } }),
  body: await showReport(report),
});
