/** Types lines into one node's console, as a run of its own. */

import { typeCommands } from "@wirelab/engine/simulation/actions";
import { ConsoleSession, type ConsoleSessionOptions } from "@wirelab/engine/simulation/console-session";
import type { Access } from "../edge/access.ts";
import { existingNode } from "../store/lab/node.ts";
import type { LabRun } from "./lab-run.ts";
import { refuseTyping } from "./refuse-typing.ts";
import { type RunPlan, runLab } from "./run-lab.ts";

interface TypedLines extends ConsoleSessionOptions, Pick<RunPlan, "receipt" | "limits"> {
  readonly projectId: string;
  readonly nodeId: string;
  readonly lines: readonly string[];
}

/**
 * @throws ApiError `node.not-found`, `node.no-console`, `node.not-started`, and those of `runLab`.
 */
export async function typeLines(
  access: Access,
  { projectId, nodeId, lines, isEchoed, ...plan }: TypedLines,
  remainingTimeMs: () => number,
): Promise<{ run: LabRun; session: ConsoleSession }> {
  const options = isEchoed === undefined ? {} : { isEchoed };
  let session = new ConsoleSession(nodeId, lines, options);
  const run = await runLab(
    access,
    projectId,
    {
      ...plan,
      read: { nodes: [nodeId] },
      schedule(simulation, lab) {
        refuseTyping(existingNode(lab.nodes.get(nodeId), nodeId));
        session = new ConsoleSession(nodeId, lines, options);
        simulation.schedule(0, typeCommands(session));
      },
    },
    remainingTimeMs,
  );
  return { run, session };
}
