/** Starts, stops, suspends and reloads one node or all nodes. A start is a run, so that its packets are delivered. */

import { switchPower } from "@wirelab/engine/simulation/actions";
import { DEFAULT_QUIET, type Quiet } from "@wirelab/engine/simulation/quiet";
import type { PowerAction } from "@wirelab/engine/simulation/sim-node";
import { switchRealNode, switchRealNodes } from "../shared/compute/nodes.ts";
import type { Operation } from "../shared/edge/operation.ts";
import type { LabRun } from "../shared/run/lab-run.ts";
import { placeholdersIn } from "../shared/run/placeholders-in.ts";
import { headersOf } from "../shared/run/report.ts";
import { runLab } from "../shared/run/run-lab.ts";
import { isPlaceholder, isRecordType, STARTED_WHEN_CREATED } from "../shared/schemas/node.ts";
import { existingNode, isOnCompute, type NodeItem, toNode } from "../shared/store/lab/node.ts";
import { isAffected, refuseStart } from "./affected.ts";
import type { group } from "./routes.ts";

type Routes = typeof group.routes;

/** Same as `isAffected`, for an action on all nodes, which does not switch off switches and hubs. */
function isAffectedByAll(node: NodeItem, action: PowerAction): boolean {
  const turnsOff = action === "stop" || action === "suspend";
  return isAffected(node, action) && !(turnsOff && STARTED_WHEN_CREATED.has(node.document.node_type));
}

/** A node that starts has booted when routing is quiet. */
const quietOf = (action: PowerAction): Quiet | undefined =>
  action === "start" || action === "reload" ? DEFAULT_QUIET : undefined;

/** Thrown for a node that a compute switches. */
const ON_COMPUTE = new Error("The node is on a registered compute");
/** Thrown for a placeholder that may move to a compute. */
const PLACEHOLDER = new Error("The node is on no compute");

/** Few labs have placeholders. */
const loadMoves = () => import("../shared/run/move-and-start.ts");

const turnsOn = (action: PowerAction): boolean => action === "start" || action === "reload";

const actOnOne =
  (action: PowerAction): Operation<Routes["startNode"]> =>
  async ({ access, params: { project_id, node_id }, origin, remainingTimeMs }) => {
    let mayMove = turnsOn(action);
    const plan = {
      read: { nodes: [node_id] },
      frees: action === "stop",
      quiet: quietOf(action),
      schedule(simulation: LabRun["simulation"], { nodes }: LabRun["lab"]) {
        const node = existingNode(nodes.get(node_id), node_id);
        if (isOnCompute(node)) throw ON_COMPUTE;
        if (mayMove && isPlaceholder(node.document.node_type)) throw PLACEHOLDER;
        refuseStart(node, action);
        if (isAffected(node, action)) simulation.schedule(0, switchPower([node_id], action));
      },
    };
    const run = await runLab(access, project_id, plan, remainingTimeMs).catch(async (error: unknown) => {
      if (error === ON_COMPUTE) return undefined;
      if (error !== PLACEHOLDER) throw error;
      const { moveAndStart } = await loadMoves();
      if (await moveAndStart(access, project_id, [node_id])) return undefined;
      mayMove = false;
      return runLab(access, project_id, plan, remainingTimeMs);
    });
    if (run === undefined) {
      const switched = await switchRealNode(access, project_id, node_id, action);
      return { status: 200, body: toNode(switched, origin.host) };
    }
    const { simulation, lab } = run;
    const node = lab.nodes.get(node_id)!;
    const { status } = simulation.nodes.get(node_id)!;
    const shown = isRecordType(node.document.node_type) ? node : { ...node, status };
    return { status: 200, body: toNode(shown, origin.host), headers: headersOf(run) };
  };

const actOnAll =
  (action: PowerAction): Operation<Routes["startAllNodes"]> =>
  async ({ access, params: { project_id }, body: { nodes: only }, remainingTimeMs }) => {
    const plan = {
      read: only === undefined ? ("everything" as const) : { nodes: only },
      frees: action === "stop",
      quiet: quietOf(action),
      schedule(simulation: LabRun["simulation"], { nodes }: LabRun["lab"]) {
        for (const id of only ?? []) existingNode(nodes.get(id), id);
        const affected = [...nodes.values()].filter((node) => isAffectedByAll(node, action));
        const ids = affected.map((node) => node.node_id);
        if (ids.length > 0) simulation.schedule(0, switchPower(ids, action));
      },
    };
    const run = await runLab(access, project_id, plan, remainingTimeMs);
    const nodes = [...run.lab.nodes.values()];
    const real = nodes.filter(isOnCompute);
    if (real.length > 0) await switchRealNodes(access, real, action);
    const left = turnsOn(action) ? placeholdersIn(nodes) : [];
    if (left.length > 0) await (await loadMoves()).moveAndStart(access, project_id, left);
    return { status: 204, headers: headersOf(run) };
  };

export const startNode = actOnOne("start");
export const stopNode = actOnOne("stop");
export const suspendNode = actOnOne("suspend");
export const reloadNode = actOnOne("reload");
export const startAllNodes = actOnAll("start");
export const stopAllNodes = actOnAll("stop");
export const suspendAllNodes = actOnAll("suspend");
export const reloadAllNodes = actOnAll("reload");
