/** The links of an imported lab. */
import { compileFilters } from "@wirelab/engine/link/filters/compile";
import type { FilterSettings, LinkEnd } from "../shared/schemas/link.ts";
import { nowUs } from "../shared/store/base/table.ts";
import type { LinkItem } from "../shared/store/lab/link.ts";
import { type NodeItem, portKey } from "../shared/store/lab/node.ts";
import { labelOf } from "./import-nodes.ts";
import type { ImportedState } from "./import-state.ts";
import type { FileLink } from "./topology-file.ts";
import { refuseImport } from "./zip-reader.ts";

/** Style of default labels of link ends in existing clients. */
const LABEL_STYLE =
  "font-family: TypeWriter;font-size: 10.0;font-weight: bold;fill: #000000;fill-opacity: 1.0;";

const MOST_ENDS = 2;
const STYLE_MAX_CHARACTERS = 4_096;

/**
 * Makes the links, and claims their ports in the nodes.
 * @param nodeOf returns the node that has an id in the archive.
 * @param states of the filters, by the ids of the links in the archive.
 * @throws ApiError `project.import-refused` for the first link that cannot be.
 */
export function makeLinks(
  files: readonly FileLink[],
  nodeOf: (oldId: string) => NodeItem | undefined,
  idOf: (oldId: string) => string,
  projectId: string,
  { links: states, impairments }: Pick<ImportedState, "links" | "impairments">,
): LinkItem[] {
  const begin = nowUs();
  return files.map((file, position) => {
    const refuse = (detail: string): Error => refuseImport(`link ${position + 1}: ${detail}`);
    if (file.nodes.length > MOST_ENDS) throw refuse(`it has ${file.nodes.length} ends, and a link has two`);
    const ends = file.nodes.map((end) => {
      const node = nodeOf(end.node_id.toLowerCase());
      if (node === undefined) throw refuse(`node ID ${end.node_id} is not in the project`);
      const key = portKey(end.adapter_number, end.port_number);
      const port = node.document.ports.find((each) => portKey(each.adapter_number, each.port_number) === key);
      const shown = `${end.adapter_number}/${end.port_number}`;
      if (port === undefined) throw refuse(`port ${shown} for ${node.name} not found`);
      if (node.links[key]) throw refuse(`port ${shown} of ${node.name} is already used`);
      return { node, key, port, end: toEnd(node.node_id, end, shown) };
    });
    const [first, second] = ends;
    if (first && first.node === second?.node) throw refuse(`it connects ${first.node.name} to itself`);
    const oldId = typeof file.link_id === "string" ? file.link_id.toLowerCase() : `link ${position}`;
    const link_id = idOf(oldId);
    const state = states.get(oldId);
    const impaired = impairments.get(oldId);
    for (const [own, peer] of [[first, second] as const, [second, first] as const]) {
      if (own === undefined) continue;
      own.node.links[own.key] = {
        link_id,
        ...(peer && { peer_id: peer.node.node_id, peer_port: peer.key }),
      };
    }
    return {
      project_id: projectId,
      link_id,
      link_type: first?.port.link_type ?? "ethernet",
      revision: 1,
      created_us: begin + position,
      document: {
        nodes: ends.map(({ end }) => end),
        filters: filtersOf(file.filters, refuse),
        link_style: styleOf(file.link_style, refuse),
        suspend: file.suspend === true,
        ...(impaired && { impairments: impaired }),
      },
      ...(state && { state }),
    };
  });
}

function toEnd(node_id: string, end: FileLink["nodes"][number], shown: string): LinkEnd {
  const { adapter_number, port_number, label } = end;
  return {
    node_id,
    adapter_number,
    port_number,
    label: labelOf(label) ?? { style: LABEL_STYLE, text: shown },
  };
}

type Refuse = (detail: string) => Error;

function filtersOf(filters: unknown, refuse: Refuse): FilterSettings {
  if (filters == null) return {};
  if (typeof filters !== "object") throw refuse("its filters are not an object");
  const parsed = compileFilters(filters);
  if (parsed.ok) return parsed.settings as FilterSettings;
  const [{ path, message }] = parsed.problems as unknown as [{ path: readonly string[]; message: string }];
  throw refuse(`filters.${path.join(".")} ${message}`);
}

function styleOf(style: unknown, refuse: Refuse): Record<string, unknown> {
  if (style == null) return {};
  if (typeof style !== "object" || JSON.stringify(style).length > STYLE_MAX_CHARACTERS)
    throw refuse("its link_style is not an object, or too large");
  return style as Record<string, unknown>;
}
