/**
 * Has the function `guests` carry on with a console whose lines run a lab with Linux nodes. It holds the console until the lines have run, and
 * prints their output; what is typed meanwhile waits in the console's item:
 *
 *     message "ping\r" -> holds, meets a Linux node: stores the lines, starts the run
 *     guests                                                takes the hold, runs the lines, prints, handles "ls\r", releases
 *     message "ls\r"                       -> appended, held by the other function
 */
import type { HandedConsole } from "../../shared/console/handed-console.ts";
import type { EnteredText } from "../../shared/console/held-console.ts";
import type { Access } from "../../shared/edge/access.ts";
import { runFolder, saveRequest } from "../../shared/run/stored-run.ts";
import { startExecution } from "../../shared/store/base/executions.ts";
import { type ConsoleItem, passConsole } from "../../shared/store/console/console.ts";

/** Longer than the state machine may take: infra/guest-runs.ts. */
export const HOLD_MS = 45 * 60_000;

/** @throws ApiError `store.unavailable` when the run cannot be started; the caller holds the console then. */
export async function handOver(access: Access, item: ConsoleItem, entered: EnteredText): Promise<void> {
  const { project_id, node_id, connection_id, holder = "" } = item;
  // The console was closed meanwhile.
  if (!(await passConsole(item, holder, { holder, untilMs: Date.now() + HOLD_MS }))) return;
  const run_id = crypto.randomUUID();
  const folder = runFolder(access, project_id, run_id);
  const body: HandedConsole = { run_id, connection_id, holder, entered };
  await saveRequest(folder, {
    operation: "typeOnConsole",
    params: { project_id, node_id },
    body,
    access,
  });
  await startExecution(run_id, { run: folder }, "GUEST_MACHINE");
}
