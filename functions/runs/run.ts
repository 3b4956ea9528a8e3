/** Runs a scenario: consoles and timed actions in one timeline. */

import { typeCommands } from "@wirelab/engine/simulation/actions";
import { ConsoleSession } from "@wirelab/engine/simulation/console-session";
import { DEFAULT_QUIET, type Quiet } from "@wirelab/engine/simulation/quiet";
import { type Simulation, toNs } from "@wirelab/engine/simulation/simulation";
import type { Operation } from "../shared/edge/operation.ts";
import type { Lab } from "../shared/run/lab-run.ts";
import { refuseWithoutConsole } from "../shared/run/refuse-typing.ts";
import { reportOf } from "../shared/run/report.ts";
import { runLab as runOneLab } from "../shared/run/run-lab.ts";
import type { RunReport, RunRequest } from "../shared/schemas/run.ts";
import { existingNode } from "../shared/store/lab/node.ts";
import { planAction } from "./actions.ts";
import type { group } from "./routes.ts";

/** Reads the whole lab, because nodes that no action touches may renew their leases during a scenario. */
export const runLab: Operation<typeof group.routes.runLab> = async ({
  access,
  params,
  body,
  receipt,
  remainingTimeMs,
}) => {
  const replays: RunReport["replays"] = [];
  const plan = {
    read: "everything" as const,
    receipt,
    quiet: quietOf(body),
    durationNs: body.duration === undefined ? undefined : toNs(body.duration),
    schedule(simulation: Simulation, lab: Lab) {
      replays.length = 0;
      // Actions precede consoles at the same time, so a node that is started at 0 has a console at 0.
      for (const [index, action] of body.actions.entries()) {
        simulation.schedule(toNs(action.at), planAction(action, lab, index, simulation.startUs, replays));
      }
      for (const { node_id, commands, at } of body.consoles) {
        refuseWithoutConsole(existingNode(lab.nodes.get(node_id), node_id));
        simulation.schedule(toNs(at), typeCommands(new ConsoleSession(node_id, commands)));
      }
    },
  };
  const run = await runOneLab(access, params.project_id, plan, remainingTimeMs);
  return { status: 200, body: { ...reportOf(run), replays } };
};

const quietOf = ({ routing: { quiet, limit } = {} }: RunRequest): Quiet => ({
  quietNs: quiet === undefined ? DEFAULT_QUIET.quietNs : toNs(quiet),
  limitNs: limit === undefined ? DEFAULT_QUIET.limitNs : toNs(limit),
});
