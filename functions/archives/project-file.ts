/** The file `project.gns3`: a lab in the format that existing programs read (revision 9). */
import { interfaceVersion } from "../shared/edge/version.ts";
import type { ReadLab } from "../shared/lab-copy/read-lab.ts";
import { serviceTypeOf } from "../shared/node/service-types.ts";
import { toDrawing } from "../shared/store/lab/drawing.ts";
import { type LinkItem, toLink } from "../shared/store/lab/link.ts";
import { ANY_HOST, type NodeItem, toNode } from "../shared/store/lab/node.ts";
import { pictureNames } from "./pictures.ts";

export const REVISION = 9;

export interface ProjectFileOptions {
  /** By default all nodes are on the compute `local`, so that another service can import them. */
  readonly keepsComputes: boolean;
  readonly resetsMacs: boolean;
}

export function toProjectFile({ whole, contents }: ReadLab, options: ProjectFileOptions): object {
  const { project, settings } = whole;
  const written = pictureNames(contents.files);
  return {
    auto_close: settings.auto_close,
    auto_open: settings.auto_open,
    auto_start: settings.auto_start,
    drawing_grid_size: settings.drawing_grid_size,
    grid_size: settings.grid_size,
    name: project.name,
    project_id: project.project_id,
    revision: REVISION,
    scene_height: settings.scene_height,
    scene_width: settings.scene_width,
    show_grid: settings.show_grid,
    show_interface_labels: settings.show_interface_labels,
    show_layers: settings.show_layers,
    snap_to_grid: settings.snap_to_grid,
    supplier: settings.supplier,
    topology: {
      computes: [],
      drawings: contents.drawings.map((stored) => {
        const { project_id: _project, ...drawing } = toDrawing(stored);
        return { ...drawing, svg: written(drawing.svg) };
      }),
      links: contents.links.map(toFileLink),
      nodes: contents.nodes.map((node) => toFileNode(node, options)),
    },
    type: "topology",
    variables: settings.variables,
    version: interfaceVersion(),
    zoom: settings.zoom,
  };
}

function toFileLink(stored: LinkItem): object {
  const { link_id, nodes, filters, link_style, suspend } = toLink(stored);
  return { filters, link_id, link_style, nodes, suspend };
}

function toFileNode(stored: NodeItem, { keepsComputes, resetsMacs }: ProjectFileOptions): object {
  const {
    project_id: _project,
    status: _status,
    ports: _ports,
    console_host: _host,
    node_directory: _directory,
    command_line: _command,
    ...node
  } = toNode(stored, ANY_HOST);
  return {
    ...node,
    compute_id: keepsComputes ? node.compute_id : "local",
    properties: portable(node.node_type, node.properties, resetsMacs),
  };
}

/** The script of a PC, whose properties are private, is its file `startup.vpc`. */
function portable(nodeType: string, properties: Record<string, unknown>, resetsMacs: boolean): object {
  if (serviceTypeOf(nodeType).isPrivate) return {};
  if (!resetsMacs || !("mac_address" in properties)) return properties;
  return { ...properties, mac_address: null };
}
