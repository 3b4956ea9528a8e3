/** Types lines into one node's console, as a run of its own. */

import { typeCommands } from "@wirelab/engine/simulation/actions";
import { ConsoleSession, type ConsoleSessionOptions } from "@wirelab/engine/simulation/console-session";
import type { Access } from "../edge/access.ts";
import { existingNode, isOnCompute, type NodeItem } from "../store/lab/node.ts";
import type { LabRun } from "./lab-run.ts";
import { refuseTyping } from "./refuse-typing.ts";
import { type RunPlan, runLab } from "./run-lab.ts";

/** The run has not begun: the node's console is at its compute. */
export class NodeOnCompute extends Error {
  override readonly name = "NodeOnCompute";
  readonly node: NodeItem;

  constructor(node: NodeItem) {
    super(`${node.name} is on compute ${node.document.compute_id}`);
    this.node = node;
  }
}

interface TypedLines extends ConsoleSessionOptions, Pick<RunPlan, "receipt" | "limits"> {
  readonly projectId: string;
  readonly nodeId: string;
  readonly lines: readonly string[];
  /** Polled while the run computes; true sends Ctrl-C to the console, and no further line. */
  readonly isInterrupted?: () => boolean;
}

/**
 * @throws NodeOnCompute for a node that a registered compute runs
 * @throws ApiError `node.not-found`, `node.no-console`, `node.not-started`, and those of `runLab`.
 */
export async function typeLines(
  access: Access,
  { projectId, nodeId, lines, isEchoed, isInterrupted, ...plan }: TypedLines,
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
        const node = existingNode(lab.nodes.get(nodeId), nodeId);
        if (isOnCompute(node)) throw new NodeOnCompute(node);
        refuseTyping(node);
        session = new ConsoleSession(nodeId, lines, options);
        simulation.schedule(0, typeCommands(session));
      },
      paused({ nowNs }) {
        if (isInterrupted?.()) session.interrupt(nowNs);
      },
    },
    remainingTimeMs,
  );
  return { run, session };
}
