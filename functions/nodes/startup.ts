/** Returns the output of a PC's start-up script, and its remaining lines. */

import type { PcState } from "@wirelab/engine/devices/pc/index";
import { startupReport } from "@wirelab/engine/devices/pc/startup";
import type { Operation } from "../shared/edge/operation.ts";
import { readNode } from "./read-node.ts";
import type { group } from "./routes.ts";

export const getStartup: Operation<typeof group.routes.getStartup> = async ({ access, params }) => {
  const { document, state } = await readNode(access, params.project_id, params.node_id);
  const isPc = document.node_type === "vpcs";
  const report = startupReport(isPc ? (state?.device as PcState | undefined) : undefined);
  return { status: 200, body: { ...report, remaining: [...report.remaining] } };
};
