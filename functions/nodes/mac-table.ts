/** Returns the addresses that a switch has learned, at the lab's clock. */
import { failure } from "../api/errors.ts";
import type { Operation } from "../api/operation.ts";
import { carries } from "../engine/devices/switch/index.ts";
import { AGEING_SECONDS, type SavedMac } from "../engine/devices/switch/mac-table.ts";
import { formatMac } from "../engine/wire/mac.ts";
import { startOfRunUs } from "../lab/clock.ts";
import { switchPortsOf } from "../lab/lab-items.ts";
import { existingNode } from "../store/node.ts";
import { openedProject } from "../store/project.ts";
import { readItems } from "../store/read.ts";
import type { group } from "./routes.ts";

export const getMacTable: Operation<typeof group.routes.getMacTable> = async ({ params }) => {
  const { project_id, node_id } = params;
  const found = await readItems(project_id, { nodes: [node_id] });
  const project = openedProject(found.project, project_id);
  const node = existingNode(found.nodes.get(node_id), node_id);
  const { document, state } = node;
  if (document.node_type !== "ethernet_switch") {
    throw failure("node.no-mac-table", { node_type: document.node_type });
  }
  const nowUs = startOfRunUs(project);
  const { macs = [] } = (state?.device ?? {}) as { macs?: SavedMac[] };
  const ports = switchPortsOf(node);
  const body = macs
    .filter(([vlan, , port]) => carries(ports[port], vlan))
    .map(([vlan, mac, port, heardUs]) => ({
      vlan,
      mac: formatMac(mac),
      port_number: port,
      port_name: document.ports[port]?.name ?? "",
      age: (nowUs - heardUs) / 1e6,
    }))
    .filter(({ age }) => age < AGEING_SECONDS);
  return { status: 200, body };
};
