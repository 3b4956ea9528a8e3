/** Archives in the format that GNS3 exports, built by hand: nothing of this service is in them. */
import { zip } from "./zip.ts";

export const PC1 = "0fd3dd4d-dc93-4a04-a9b9-7396a9e22e8b";
export const PC2 = "b570a150-c09f-47d9-8d32-9ca5b03234d6";
export const SWITCH = "3f6b6a3e-52f5-4d5b-9a51-0a4b7a3f1f10";
const STYLE = "font-family: TypeWriter;font-size: 10;font-weight: bold;fill: #000000;fill-opacity: 1.0;";

// biome-ignore lint/suspicious/noExplicitAny: tests change parts of it
type Json = any;

const pc = (node_id: string, name: string, x: number): Json => ({
  compute_id: "local",
  console: 5000,
  console_type: "telnet",
  first_port_name: null,
  label: { rotation: 0, style: STYLE, text: name, x: 18, y: -25 },
  name,
  node_id,
  node_type: "vpcs",
  port_name_format: "Ethernet{0}",
  port_segment_size: 0,
  properties: {},
  symbol: ":/symbols/vpcs_guest.svg",
  x,
  y: -65,
  z: 1,
});

const portOf = (index: number): Json => ({
  name: `Ethernet${index}`,
  port_number: index,
  type: "access",
  vlan: 1,
});

/** Returns the content of `project.gns3`: two PCs and a switch, two links, a drawing. */
const topologyFile = (): Json => ({
  auto_close: true,
  auto_open: false,
  auto_start: true,
  drawing_grid_size: 25,
  grid_size: 75,
  name: "gns3 lab",
  project_id: "62fc7a04-ae65-4003-a9e6-a046b1996f0e",
  revision: 9,
  scene_height: 1000,
  scene_width: 2000,
  show_grid: false,
  show_interface_labels: false,
  show_layers: false,
  snap_to_grid: false,
  supplier: null,
  topology: {
    computes: [],
    drawings: [
      {
        drawing_id: "7f4f9e41-23d1-4a4a-a8a4-5cdeea2f4ba1",
        locked: false,
        rotation: 0,
        svg: '<svg height="100" width="200"><rect fill="#18ffff" height="100" width="200"/></svg>',
        x: -210,
        y: -108,
        z: 0,
      },
    ],
    links: [PC1, PC2].map((node_id, port_number) => ({
      filters: port_number === 0 ? { delay: [10, 0], packet_loss: [5] } : {},
      link_id: `1b7f4a3e-0000-4000-8000-00000000000${port_number}`,
      link_style: {},
      nodes: [
        {
          adapter_number: 0,
          label: { rotation: 0, style: STYLE, text: "0/0", x: 30, y: 20 },
          node_id,
          port_number: 0,
        },
        { adapter_number: 0, node_id: SWITCH, port_number },
      ],
      suspend: false,
    })),
    nodes: [
      pc(PC1, "PC1", -87),
      pc(PC2, "PC2", 123),
      {
        ...pc(SWITCH, "Switch1", 0),
        console_type: "none",
        node_type: "ethernet_switch",
        properties: { ports_mapping: Array.from({ length: 8 }, (_, index) => portOf(index)) },
        symbol: ":/symbols/ethernet_switch.svg",
        y: 100,
      },
    ],
  },
  type: "topology",
  variables: null,
  version: "2.2.54",
  zoom: 100,
});

/** @param change of the content of `project.gns3`. */
export function gns3Project(
  change: (file: Json) => unknown = () => undefined,
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Buffer<ArrayBuffer> {
  const file = topologyFile();
  change(file);
  return zip({
    "project.gns3": JSON.stringify(file, null, 4),
    "README.txt": "A lab of GNS3",
    [`project-files/vpcs/${PC1}/startup.vpc`]: "set pcname PC1\nip 10.0.0.1/24\n",
    [`project-files/vpcs/${PC2}/startup.vpc`]: "set pcname PC2\nip 10.0.0.2/24\n",
    ...files,
  });
}
