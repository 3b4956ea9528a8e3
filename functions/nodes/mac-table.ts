/** Returns the addresses that a switch has learned, at the lab's clock. */

import { AGEING_SECONDS, type SavedMac } from "@wirelab/engine/devices/switch/mac-table";
import { carries, withBundles } from "@wirelab/engine/devices/switch/ports";
import { formatMac } from "@wirelab/engine/wire/mac";
import { failure } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { startOfRunUs } from "../shared/run/clock.ts";
import { switchSpecOf } from "../shared/run/lab-items.ts";
import { existingNode, isOnCompute } from "../shared/store/lab/node.ts";
import { openedProject } from "../shared/store/project/project.ts";
import { readItems } from "../shared/store/project/read.ts";
import type { group } from "./routes.ts";

export const getMacTable: Operation<typeof group.routes.getMacTable> = async ({ access, params }) => {
  const { project_id, node_id } = params;
  const found = await readItems(access, project_id, { nodes: [node_id] });
  const project = openedProject(found.project, project_id);
  const node = existingNode(found.nodes.get(node_id), node_id);
  const { document, state } = node;
  if (document.node_type !== "ethernet_switch" || isOnCompute(node)) {
    throw failure("node.no-mac-table", { node_type: document.node_type });
  }
  const nowUs = startOfRunUs(project);
  const { ageing_time = AGEING_SECONDS } = document.properties as { ageing_time?: number };
  const { macs = [] } = (state?.device ?? {}) as { macs?: SavedMac[] };
  const { ports: cables, bundles } = switchSpecOf(node);
  const ports = withBundles(cables, bundles);
  const body = macs
    .filter(([vlan, , port]) => carries(ports[port], vlan))
    .map(([vlan, mac, port, heardUs]) => ({
      vlan,
      mac: formatMac(mac),
      port_number: port,
      port_name: document.ports[port]?.name ?? "",
      age: (nowUs - heardUs) / 1e6,
    }))
    .filter(({ age }) => age < ageing_time);
  return { status: 200, body };
};
