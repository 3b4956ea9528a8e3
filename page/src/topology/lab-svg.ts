/** A lab as an SVG document, for pages and slides. Pure. */
import type { Link, Node } from "../api/types.ts";
import { boxAround } from "../drawings/place.ts";
import { portName } from "../lab/link-name.ts";
import { type Box, boundsOf } from "../viewport/bounds.ts";
import type { Colours } from "./colours.ts";
import { boxOf } from "./elements.ts";
import { placePortNames } from "./port-names.ts";

export interface PlacedPicture extends Box {
  readonly url: string;
  /** In degrees, around the point `originX`, `originY`. */
  readonly rotation: number;
  readonly originX: number;
  readonly originY: number;
}

export interface ShownLab {
  readonly name: string;
  readonly nodes: ReadonlyMap<string, Node>;
  readonly links: readonly Link[];
  /** From the lowest to the highest. */
  readonly drawings: readonly PlacedPicture[];
  /** Symbol -> a data URL. */
  readonly symbols: ReadonlyMap<string, string>;
  readonly colours: Colours;
  readonly arePortsNamed: boolean;
}

const SIGNS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign]!);

const PADDING = 40;
/** The name of a device is below it. */
const NAME_HEIGHT = 24;
/** The width of a letter of a name. */
const LETTER = 8;
/** How far links between the same devices are from each other. */
const BETWEEN = 34;

const image = ({ x, y, width, height }: Box, url: string, more = ""): string =>
  `<image x="${x}" y="${y}" width="${width}" height="${height}" href="${escaped(url)}"${more}/>`;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The ground behind a text is that of the picture, so that it can be read on a line. */
const text = ({ halo }: Colours, { x, y }: Point, size: number, content: string): string =>
  `<text x="${x}" y="${y}" font-size="${size}" paint-order="stroke" stroke="${halo}" stroke-width="4">${escaped(content)}</text>`;

/** @param bend how far the middle of the line is from the straight line. */
function drawLink(shown: ShownLab, link: Link, bend: number): string {
  const { nodes, colours, arePortsNamed } = shown;
  const [a, b] = link.nodes;
  const [from, to] = [a && nodes.get(a.node_id), b && nodes.get(b.node_id)];
  if (!a || !b || !from || !to) return "";
  const boxes = [boxOf(from), boxOf(to)] as const;
  const [start, end] = boxes.map(
    (box): Point => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 }),
  ) as [Point, Point];
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const side = { x: -(end.y - start.y) / length, y: (end.x - start.x) / length };
  const middle = {
    x: (start.x + end.x) / 2 + 2 * bend * side.x,
    y: (start.y + end.y) / 2 + 2 * bend * side.y,
  };
  const dash = link.suspend ? ' stroke-dasharray="6 4"' : "";
  const path = `<path d="M${start.x} ${start.y}Q${middle.x} ${middle.y} ${end.x} ${end.y}" fill="none" stroke="${colours.line}"${dash}/>`;
  if (!arePortsNamed) return path;
  const names = placePortNames(...boxes, [portName(a, nodes), portName(b, nodes)]);
  const at = (share: number): Point => {
    const [p, q, r] = [(1 - share) ** 2, 2 * share * (1 - share), share ** 2];
    return { x: p * start.x + q * middle.x + r * end.x, y: p * start.y + q * middle.y + r * end.y };
  };
  const border = ({ width, height }: Box): number =>
    Math.min(
      0.5,
      width / 2 / Math.abs(end.x - start.x || 0.001),
      height / 2 / Math.abs(end.y - start.y || 0.001),
    );
  const [first, last] = [
    at(border(boxes[0]) + names.offset / length),
    at(1 - border(boxes[1]) - names.offset / length),
  ];
  const name = (point: Point, words: string) =>
    words === "" ? "" : text(colours, { x: point.x, y: point.y + 4 }, 10, words);
  return path + name(first, names.from) + name(last, names.to);
}

function drawLinks(shown: ShownLab): string {
  const pairs = Map.groupBy(shown.links, ({ nodes }) =>
    nodes
      .map(({ node_id }) => node_id)
      .toSorted()
      .join(" "),
  );
  return [...pairs.values()]
    .flatMap((links) =>
      links.map((link, index) => {
        const bend = (index - (links.length - 1) / 2) * BETWEEN;
        const [a, b] = link.nodes;
        // A line in the other direction has its sides exchanged.
        return drawLink(shown, link, a!.node_id <= b!.node_id ? bend : -bend);
      }),
    )
    .join("");
}

/** The box of a device with its name below it. */
function withName({ node, x, y, width, height }: Box & { readonly node: Node }): Box {
  const wide = Math.max(width, node.name.length * LETTER);
  return { x: x - (wide - width) / 2, y, width: wide, height: height + NAME_HEIGHT };
}

/** @returns the document, and its size. */
export function labSvg(shown: ShownLab): {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
} {
  const { nodes, drawings, symbols, colours } = shown;
  const boxes = [...nodes.values()].map((node) => ({ node, ...boxOf(node) }));
  const all = [
    ...boxes.map(withName),
    ...drawings.map((drawing) => boxAround({ ...drawing, x: drawing.originX, y: drawing.originY })),
  ];
  const { x1, y1, x2, y2 } = boundsOf(all) ?? { x1: 0, y1: 0, x2: 0, y2: 0 };
  const [width, height] = [x2 - x1 + 2 * PADDING, y2 - y1 + 2 * PADDING].map(Math.ceil) as [number, number];
  const pictures = drawings.map((drawing) =>
    image(
      drawing,
      drawing.url,
      ` transform="rotate(${drawing.rotation} ${drawing.originX} ${drawing.originY})"`,
    ),
  );
  const devices = boxes.map(
    ({ node, ...box }) =>
      image(box, symbols.get(node.symbol) ?? "") +
      text(colours, { x: box.x + box.width / 2, y: box.y + box.height + 16 }, 12, node.name),
  );
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x1 - PADDING} ${y1 - PADDING} ${width} ${height}">` +
    `<title>${escaped(shown.name)}</title>` +
    `<rect x="${x1 - PADDING}" y="${y1 - PADDING}" width="${width}" height="${height}" fill="${colours.halo}"/>` +
    pictures.join("") +
    `<g fill="${colours.text}" stroke-width="2" font-family="system-ui, sans-serif" text-anchor="middle">${drawLinks(shown)}</g>` +
    `<g fill="${colours.text}" font-family="system-ui, sans-serif" font-weight="600" text-anchor="middle">${devices.join("")}</g></svg>`;
  return { svg, width, height };
}
