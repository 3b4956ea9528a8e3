/** Returns what a switch knows of its neighbours and of the network, at the lab's clock. */
import type { SwitchState } from "@wirelab/engine/devices/switch/index";
import { reportSwitch } from "@wirelab/engine/devices/switch/report";
import type * as z from "zod/mini";
import { failure } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { startOfRunUs } from "../shared/run/clock.ts";
import { switchSpecOf } from "../shared/run/lab-items.ts";
import type { switchState } from "../shared/schemas/switch-state.ts";
import { existingNode, isOnCompute } from "../shared/store/lab/node.ts";
import { openedProject } from "../shared/store/project/project.ts";
import { readItems } from "../shared/store/project/read.ts";
import type { group } from "./routes.ts";

export const getNodeState: Operation<typeof group.routes.getNodeState> = async ({ access, params }) => {
  const { project_id, node_id } = params;
  const found = await readItems(access, project_id, { nodes: [node_id] });
  const project = openedProject(found.project, project_id);
  const node = existingNode(found.nodes.get(node_id), node_id);
  const { node_type } = node.document;
  if (node_type !== "ethernet_switch" || isOnCompute(node)) throw failure("node.no-state", { node_type });
  const state = node.state?.device as SwitchState | undefined;
  const body = reportSwitch(switchSpecOf(node), state, startOfRunUs(project));
  return { status: 200, body: body as z.output<typeof switchState> };
};
