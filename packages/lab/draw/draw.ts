/** Draws the topology of a lab as SVG, for light and dark pages. */

import { kindOf } from "@wirelab/engine/devices/find-kind";
import type { LabModel, LinkModel, NodeModel } from "../model/lab-model.ts";
import { type Layout, layOut, NODE_HEIGHT, NODE_WIDTH, type Point } from "./layout.ts";

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2933; text-anchor: middle; }
  .name { font-weight: 600; font-size: 13px; }
  .small { font-size: 10px; fill: #52606d; }
  .box { fill: #ffffff; stroke: #829ab1; stroke-width: 1.5; }
  .router .glyph { stroke: #0b69a3; } .switch .glyph { stroke: #147d64; } .hub .glyph { stroke: #8d2b0b; } .pc .glyph, .server .glyph, .linux .glyph { stroke: #627d98; }
  .glyph { fill: none; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
  .link { stroke: #627d98; stroke-width: 2; fill: none; }
  .down { stroke: #cf1124; stroke-dasharray: 6 5; }
  .filtered { stroke: #b44d12; }
  .halo { stroke: #ffffff; stroke-width: 4; paint-order: stroke; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e4e7eb; } .small { fill: #9aa5b1; } .box { fill: #1f2933; stroke: #52606d; } .link { stroke: #9aa5b1; }
    .down { stroke: #ff6b6b; } .filtered { stroke: #ffb088; } .halo { stroke: #12181f; }
  }
`;

/** Lines on a square of 28, for each type. */
const GLYPHS = {
  vpcs: "M3 4h22v14H3zM10 24h8M14 18v6",
  router:
    "M14 2a12 12 0 1 0 .01 0M14 7v5m-2-3l2-2 2 2M14 21v-5m-2 3l2 2 2-2M6 14h5m-2-2l2 2-2 2M22 14h-5m2-2l-2 2 2 2",
  ethernet_switch: "M2 6h24v16H2zM7 11h12m-3-2.500l3 2.500-3 2.500M21 17H9m3-2.500l-3 2.500 3 2.500",
  ethernet_hub: "M2 8h24v12H2zM7 14h.01M11.500 14h.01M16 14h.01M20.500 14h.01",
  server: "M6 2h16v24H6zM6 10h16M6 18h16M10 6h.01M10 14h.01M10 22h.01",
  linux: "M2 4h24v20H2zM7 10l4 4-4 4M14 18h7",
  cloud: "M8 21a5 5 0 0 1-.500-9.900A7 7 0 0 1 20.500 10a5.500 5.500 0 0 1 .500 11z",
  nat: "M8 21a5 5 0 0 1-.500-9.900A7 7 0 0 1 20.500 10a5.500 5.500 0 0 1 .500 11zM10 14h8m-2-2l2 2M18 18h-8m2 2l-2-2",
} as const;

export function drawLab(model: LabModel): string {
  const layout = layOut(model);
  const width = Math.ceil(Math.max(layout.width, NODE_WIDTH));
  const height = Math.ceil(Math.max(layout.height, NODE_HEIGHT));
  const parallel = countParallel(model.links);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(`Topology of ${model.name}`)}">`,
    `<title>${escapeXml(model.name)}</title><style>${STYLE}</style>`,
    ...model.links.map((link) => drawLink(link, model, layout, parallel.get(link)!)),
    ...model.nodes.map((node) => drawNode(node, layout.places.get(node.name)!)),
    "</svg>\n",
  ].join("\n");
}

interface Parallel {
  readonly index: number;
  readonly count: number;
}

/** Links between the same nodes are bent apart. */
function countParallel(links: readonly LinkModel[]): ReadonlyMap<LinkModel, Parallel> {
  const groups = Map.groupBy(links, ({ ends }) =>
    ends
      .map(({ node }) => node)
      .toSorted()
      .join(" "),
  );
  return new Map(
    [...groups.values()].flatMap((group) =>
      group.map((link, index) => [link, { index, count: group.length }] as const),
    ),
  );
}

const BEND = 64;
/** Between a node's box and the name of its port. */
const PORT_DISTANCE = 10;

/** The preset, or the names of what is set. */
const describeImpairments = (settings: Readonly<Record<string, unknown>>): string =>
  typeof settings.preset === "string" ? settings.preset : `impaired: ${Object.keys(settings).join(", ")}`;

function drawLink(
  { name, ends, filters, impairments, isDown }: LinkModel,
  { nodes }: LabModel,
  { places }: Layout,
  { index, count }: Parallel,
): string {
  const [a, b] = ends.map(({ node }) => places.get(node)!) as [Point, Point];
  const shift = (index - (count - 1) / 2) * BEND;
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const middle = {
    x: (a.x + b.x) / 2 - ((b.y - a.y) / length) * shift,
    y: (a.y + b.y) / 2 + ((b.x - a.x) / length) * shift,
  };
  const control = { x: 2 * middle.x - (a.x + b.x) / 2, y: 2 * middle.y - (a.y + b.y) / 2 };
  const settings = Object.entries(filters.settings);
  const isFiltered = settings.length > 0 || impairments !== undefined;
  const kind = isDown ? " down" : isFiltered ? " filtered" : "";
  const facts = [
    ...(isDown ? ["down"] : []),
    ...settings.map(([type, values]) => `${type} ${values.join(" ")}`),
    ...(impairments ? [describeImpairments(impairments.settings)] : []),
  ];
  const portName = (end: number): string => {
    const { node, port } = ends[end]!;
    const { spec, ports } = nodes.find((each) => each.name === node)!;
    return spec.type === "vpcs" ? "" : (ports[port] ?? String(port));
  };
  return [
    `<g><title>${escapeXml(name)}</title>`,
    `<path class="link${kind}" d="M${round(a)} Q${round(control)} ${round(b)}"/>`,
    ...facts.map((fact, line) => label(middle, escapeXml(fact), line * 13)),
    ...[0, 1].map((end) => label(along(end === 0 ? a : b, control), escapeXml(shortPort(portName(end))), 4)),
    "</g>",
  ].join("");
}

const shortPort = (name: string): string => name.replace(/^Ethernet/, "e").replace(/^eth/, "eth");

const label = ({ x, y }: Point, text: string, dy: number): string =>
  text === "" ? "" : `<text class="small halo" x="${fixed(x)}" y="${fixed(y + dy)}">${text}</text>`;

/** A point just outside the node's box, on the way to the control point. */
function along(from: Point, to: Point): Point {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const edge = Math.min(NODE_WIDTH / 2 / Math.abs(dx || 1e-9), NODE_HEIGHT / 2 / Math.abs(dy || 1e-9));
  const share = edge + PORT_DISTANCE / length;
  return { x: from.x + dx * share, y: from.y + dy * share };
}

function drawNode({ name, spec, addresses, isStarted }: NodeModel, { x, y }: Point): string {
  const left = x - NODE_WIDTH / 2;
  const top = y - NODE_HEIGHT / 2;
  const kind = kindOf(spec.type).word;
  const more = addresses.length > 1 ? ` +${addresses.length - 1}` : "";
  const detail = isStarted ? (addresses[0] ?? kind) + more : `${kind}, off`;
  return [
    `<g class="${kind.toLowerCase()}"><title>${escapeXml(`${kind} ${name} ${addresses.join(" ")}`.trim())}</title>`,
    `<rect class="box" x="${fixed(left)}" y="${fixed(top)}" width="${NODE_WIDTH}" height="${NODE_HEIGHT}" rx="10"/>`,
    `<path class="glyph" transform="translate(${fixed(x - 14)} ${fixed(top + 8)})" d="${GLYPHS[spec.type]}"/>`,
    `<text class="name" x="${fixed(x)}" y="${fixed(top + 53)}">${escapeXml(name)}</text>`,
    `<text class="small" x="${fixed(x)}" y="${fixed(top + 68)}">${escapeXml(detail)}</text></g>`,
  ].join("");
}

const fixed = (value: number): string => String(Math.round(value * 10) / 10);
const round = ({ x, y }: Point): string => `${fixed(x)} ${fixed(y)}`;

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeXml = (text: string): string => text.replaceAll(/[&<>"]/g, (each) => ENTITIES[each]!);
