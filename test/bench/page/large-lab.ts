/** A large lab as an archive that the service imports in one call: switches in a mesh, each with nine PCs. */
import { randomUUID } from "node:crypto";
import { gns3Project } from "../../helpers/archives/gns3-project.ts";

const PCS_OF_EACH = 9;
const SPACE = 560;
/** How far the PCs of a switch are from it. */
const RADIUS = 190;
const PORTS = 16;

interface Place {
  readonly x: number;
  readonly y: number;
}

const common = (name: string, { x, y }: Place) => ({
  compute_id: "local",
  name,
  node_id: randomUUID(),
  x: Math.round(x),
  y: Math.round(y),
  z: 1,
});

const switchAt = (name: string, place: Place) => ({
  ...common(name, place),
  node_type: "ethernet_switch",
  symbol: ":/symbols/ethernet_switch.svg",
  properties: {
    ports_mapping: Array.from({ length: PORTS }, (_, port_number) => ({
      name: `Ethernet${port_number}`,
      port_number,
      type: "access",
      vlan: 1,
    })),
  },
});

const pcAt = (name: string, place: Place) => ({
  ...common(name, place),
  node_type: "vpcs",
  symbol: ":/symbols/vpcs_guest.svg",
  properties: {},
});

/**
 * @param columns of the mesh, which has as many rows; 10 give 1,000 nodes.
 * @returns the archive, and how many nodes and links it has.
 */
export function largeLab(columns: number): {
  readonly archive: Buffer;
  readonly nodes: number;
  readonly links: number;
} {
  const used = new Map<string, number>();
  const end = (node_id: string) => {
    const port_number = used.get(node_id) ?? 0;
    used.set(node_id, port_number + 1);
    return { adapter_number: 0, node_id, port_number };
  };
  const link = (a: string, b: string) => ({ link_id: randomUUID(), nodes: [end(a), end(b)] });
  const switches = Array.from({ length: columns * columns }, (_, index) =>
    switchAt(`SW${index + 1}`, {
      x: (index % columns) * SPACE,
      y: Math.floor(index / columns) * SPACE,
    }),
  );
  const pcs = switches.map(({ x, y }, index) =>
    Array.from({ length: PCS_OF_EACH }, (_, pc) => {
      const angle = (2 * Math.PI * (pc + 0.5)) / PCS_OF_EACH;
      const place = { x: x + RADIUS * Math.cos(angle), y: y + RADIUS * Math.sin(angle) };
      return pcAt(`PC${index * PCS_OF_EACH + pc + 1}`, place);
    }),
  );
  const links = switches.flatMap(({ node_id }, index) => [
    ...pcs[index]!.map((pc) => link(pc.node_id, node_id)),
    ...((index + 1) % columns > 0 ? [link(node_id, switches[index + 1]!.node_id)] : []),
    ...(index + columns < switches.length ? [link(node_id, switches[index + columns]!.node_id)] : []),
  ]);
  const nodes = [...switches, ...pcs.flat()];
  const archive = gns3Project((file) => {
    Object.assign(file, { name: "large", auto_start: false });
    file.topology = { computes: [], drawings: [], links, nodes };
  });
  return { archive, nodes: nodes.length, links: links.length };
}
