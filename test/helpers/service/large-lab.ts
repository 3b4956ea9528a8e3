/** Labs of many PCs as archives: PCs with a saved address each, thirty on a switch, and the switches on a core switch. */
import { strToU8, zipSync } from "fflate";

const PCS_PER_SWITCH = 30;
const [SWITCH, PC, LINK, PROJECT] = [1, 2, 3, 4];

const idOf = (kind: number, index: number) =>
  `0000000${kind}-0000-4000-8000-${String(index).padStart(12, "0")}`;

export const pcId = (index: number): string => idOf(PC!, index);
/** The core switch is the first. */
export const switchId = (index: number): string => idOf(SWITCH!, index);
/** The link of a PC. */
export const linkId = (pc: number): string => idOf(LINK!, pc);
export const largeLabId = (number: number): string => idOf(PROJECT!, number);

/** The address of a PC, which its archive has saved. */
export const addressOf = (pc: number): string => `10.0.${pc >> 7}.${(pc & 127) + 1}`;

/** The file of a PC's saved address. */
export const startupOf = (pc: number): string => `ip ${addressOf(pc)}/16\n`;

export function largeLab(projectId: string, pcs: number): Uint8Array {
  const switches = Math.ceil(pcs / PCS_PER_SWITCH);
  const nodes: object[] = [];
  const links: object[] = [];
  const add = (node_id: string, name: string, node_type: string, properties: object) =>
    nodes.push({ node_id, name, node_type, properties, compute_id: "local", x: 0, y: 0, z: 1 });
  const connect = (link_id: string, ...ends: [string, number][]) =>
    links.push({
      link_id,
      filters: {},
      nodes: ends.map(([node_id, port_number]) => ({ node_id, adapter_number: 0, port_number })),
    });
  const ports = (count: number) => ({
    ports_mapping: Array.from({ length: count }, (_, port_number) => ({
      name: `Ethernet${port_number}`,
      port_number,
      type: "access",
      vlan: 1,
    })),
  });
  add(switchId(0), "CORE", "ethernet_switch", ports(Math.max(8, switches)));
  for (let i = 0; i < switches; i++) {
    add(switchId(i + 1), `SW${i}`, "ethernet_switch", ports(PCS_PER_SWITCH + 1));
    connect(linkId(pcs + i), [switchId(0), i], [switchId(i + 1), PCS_PER_SWITCH]);
  }
  for (let i = 0; i < pcs; i++) {
    add(pcId(i), `A${i}`, "vpcs", {});
    connect(linkId(i), [pcId(i), 0], [switchId(Math.floor(i / PCS_PER_SWITCH) + 1), i % PCS_PER_SWITCH]);
  }
  const document = {
    name: "large",
    project_id: projectId,
    revision: 9,
    type: "topology",
    version: "2.2.60",
    topology: { computes: [], drawings: [], links, nodes },
  };
  const files = Object.fromEntries(
    Array.from({ length: pcs }, (_, i) => [
      `project-files/vpcs/${pcId(i)}/startup.vpc`,
      strToU8(startupOf(i)),
    ]),
  );
  return zipSync({ "project.gns3": strToU8(JSON.stringify(document)), ...files });
}
