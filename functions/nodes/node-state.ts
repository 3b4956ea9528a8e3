/** Returns what a switch or a router knows of its neighbours and of the network, at the lab's clock. */
import type { RouterState } from "@wirelab/engine/devices/router/index";
import { type RouterReport, reportRouter } from "@wirelab/engine/devices/router/shell/report";
import type { SwitchState } from "@wirelab/engine/devices/switch/index";
import { reportSwitch, type SwitchReport } from "@wirelab/engine/devices/switch/report";
import type * as z from "zod/mini";
import { failureOf } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { NODE_ERRORS } from "../shared/edge/own-errors/node.ts";
import { startOfRunUs } from "../shared/run/clock.ts";
import { specOfType } from "../shared/run/lab-items.ts";
import type { nodeState } from "../shared/schemas/node-state.ts";
import { withStates } from "../shared/store/commit/lab-states.ts";
import { readItems } from "../shared/store/contents/read.ts";
import { existingNode, isOnCompute, type NodeItem } from "../shared/store/lab/node.ts";
import { openedProject } from "../shared/store/project/project.ts";
import type { group } from "./routes.ts";

export const getNodeState: Operation<typeof group.routes.getNodeState> = async ({ access, params }) => {
  const { project_id, node_id } = params;
  const found = await readItems(access, project_id, { nodes: [node_id] });
  const project = openedProject(found.project, project_id);
  const stored = existingNode(found.nodes.get(node_id), node_id);
  const { node_type } = stored.document;
  const report = isOnCompute(stored) ? undefined : REPORTS[node_type];
  if (report === undefined) throw failureOf(NODE_ERRORS, "node.no-state", { node_type });
  const [node] = await withStates(project, [stored]);
  const body = report(node!, startOfRunUs(project));
  return { status: 200, body: body as z.output<typeof nodeState> };
};

const REPORTS: Readonly<Record<string, (node: NodeItem, nowUs: number) => SwitchReport | RouterReport>> = {
  ethernet_switch: (node, nowUs) =>
    reportSwitch(specOfType(node, "ethernet_switch"), node.state?.device as SwitchState | undefined, nowUs),
  router: (node, nowUs) =>
    reportRouter(specOfType(node, "router"), node.state?.device as RouterState | undefined, nowUs),
};
