/**
 * The SVG documents of drawings: shapes and texts as GNS3 makes them, often without a namespace and with texts whose first line is at the
 * upper edge. What users send is parsed as inert XML, and shown in images only: scripts in them do not run, and nothing is loaded.
 */
import type { Drawing } from "../api/types.ts";

const NAMESPACE = "http://www.w3.org/2000/svg";
const KINDS = ["rect", "ellipse", "line", "text"] as const;
export type ShapeKind = (typeof KINDS)[number];

export interface Shape {
  /** "other" if the document is no single shape. */
  readonly kind: ShapeKind | "other";
  /** In pixels of the canvas. */
  readonly width: number;
  readonly height: number;
  readonly text: string;
  readonly fontSize: number;
  /** Colours as `#rrggbb`; of a text, `fill` is its colour. */
  readonly fill: string;
  readonly stroke: string;
}

/** What a user can change of a shape. */
export type ShapeChange = Partial<Omit<Shape, "kind">>;

/** A picture of a shape, and where its upper left corner is beside the drawing's place. */
interface Picture {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly inset: number;
}

export const KIND_NAMES: Readonly<Record<Shape["kind"], string>> = {
  rect: "Rectangle",
  ellipse: "Ellipse",
  line: "Line",
  text: "Text",
  other: "Picture",
};

const NEW: Readonly<Record<ShapeKind, string>> = {
  rect: '<svg width="200" height="100"><rect fill="#ffffff" fill-opacity="1.0" stroke="#7d8f9a" stroke-width="2" width="200" height="100" /></svg>',
  ellipse:
    '<svg width="200" height="100"><ellipse cx="100" cy="50" rx="100" ry="50" fill="#ffffff" fill-opacity="1.0" stroke="#7d8f9a" stroke-width="2" /></svg>',
  line: '<svg width="200" height="0"><line x1="0" y1="0" x2="200" y2="0" stroke="#7d8f9a" stroke-width="2" /></svg>',
  text: '<svg width="60" height="20"><text fill="#53646f" fill-opacity="1.0" font-family="TypeWriter" font-size="14">Text</text></svg>',
};

/** @returns the SVG document of a new shape. */
export const newShape = (kind: ShapeKind): string => NEW[kind];

const FONT_SIZE = 10;
const LINE_HEIGHT = 1.4;
const FAMILY = "system-ui, sans-serif";

/** GNS3 omits the namespace, without which an image shows nothing. */
function parse(svg: string): Element | null {
  const text = /<svg[^>]*\sxmlns\s*=/.test(svg) ? svg : svg.replace(/<svg\b/, `<svg xmlns="${NAMESPACE}"`);
  const { documentElement } = new DOMParser().parseFromString(text, "image/svg+xml");
  return documentElement.localName === "svg" && documentElement.querySelector("parsererror") === null
    ? documentElement
    : null;
}

const number = (element: Element | null | undefined, name: string, otherwise: number): number => {
  const value = Number.parseFloat(element?.getAttribute(name) ?? "");
  return Number.isFinite(value) ? value : otherwise;
};

const shapeElement = (root: Element | null): Element | undefined => {
  const [only, ...others] = root?.children ?? [];
  return others.length === 0 && KINDS.includes(only?.localName as ShapeKind) ? only : undefined;
};

const HEX = /^#[\da-f]{6}$/i;
const colour = (element: Element | undefined, name: string, otherwise: string): string => {
  const value = element?.getAttribute(name) ?? "";
  return HEX.test(value) ? value : otherwise;
};

const read = (svg: string): Shape => {
  const root = parse(svg);
  const element = shapeElement(root);
  const kind = (element?.localName ?? "other") as Shape["kind"];
  const fontSize = number(element, "font-size", FONT_SIZE);
  const text = kind === "text" ? (element?.textContent ?? "") : "";
  return {
    kind,
    ...sizeOf(root, element, text, fontSize),
    text,
    fontSize,
    fill: colour(element, "fill", "#ffffff"),
    stroke: colour(element, "stroke", "#000000"),
  };
};

function sizeOf(root: Element | null, element: Element | undefined, text: string, fontSize: number) {
  const width = number(root, "width", 100);
  const height = number(root, "height", 100);
  switch (element?.localName) {
    case "rect":
      return { width: number(element, "width", width), height: number(element, "height", height) };
    case "ellipse":
      return { width: 2 * number(element, "rx", width / 2), height: 2 * number(element, "ry", height / 2) };
    case "line":
      return { width: number(element, "x2", width), height: number(element, "y2", height) };
    case "text": {
      const context = new OffscreenCanvas(1, 1).getContext("2d")!;
      context.font = `${element.getAttribute("font-weight") ?? ""} ${fontSize}px ${FAMILY}`;
      const lines = text.split("\n");
      return {
        width: Math.ceil(Math.max(...lines.map((line) => context.measureText(line).width))),
        height: Math.ceil(lines.length * LINE_HEIGHT * fontSize),
      };
    }
    default:
      return { width, height };
  }
}

const shapes = new WeakMap<Drawing, Shape>();

export function shapeOf(drawing: Drawing): Shape {
  const shape = shapes.get(drawing) ?? read(drawing.svg);
  shapes.set(drawing, shape);
  return shape;
}

/** @returns the document with another size, text or colour; its other attributes stay. */
export function changeShape(svg: string, change: ShapeChange): string {
  const root = parse(svg);
  const element = shapeElement(root);
  if (root === null || element === undefined) return svg;
  const next = { ...read(svg), ...change };
  const set = (target: Element, values: Readonly<Record<string, string | number>>) => {
    for (const [name, value] of Object.entries(values)) target.setAttribute(name, String(value));
  };
  const { kind, width, height, text, fontSize, fill, stroke } = next;
  if (kind === "rect") set(element, { width, height, fill, stroke });
  if (kind === "ellipse")
    set(element, { cx: width / 2, cy: height / 2, rx: width / 2, ry: height / 2, fill, stroke });
  if (kind === "line") set(element, { x2: width, y2: height, stroke });
  if (kind === "text") {
    set(element, { "font-size": fontSize, fill });
    element.textContent = text;
  }
  const size = kind === "text" ? sizeOf(root, element, text, fontSize) : { width, height };
  set(root, { width: Math.abs(size.width), height: Math.abs(size.height) });
  return new XMLSerializer().serializeToString(root);
}

/** @returns a picture for an image element; null if the document is none. */
export function pictureOfDrawing(drawing: Drawing): Picture | null {
  const root = parse(drawing.svg);
  if (root === null) return null;
  const shape = shapeOf(drawing);
  const element = shapeElement(root);
  const { width, height } = shape;
  if (element === undefined) return { url: urlOf(root), width, height, inset: 0 };
  if (shape.kind === "text") writeLines(element, shape);
  // Half of an outline is outside of the shape.
  const inset = Math.ceil(number(element, "stroke-width", 1)) + 1;
  const box = {
    x: Math.min(0, width) - inset,
    y: Math.min(0, height) - inset,
    width: Math.abs(width) + 2 * inset,
    height: Math.abs(height) + 2 * inset,
  };
  root.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
  root.setAttribute("width", String(box.width));
  root.setAttribute("height", String(box.height));
  return { url: urlOf(root), width: box.width, height: box.height, inset };
}

/** The first line begins at the upper edge, and each line break begins another one. */
function writeLines(element: Element, { text, fontSize }: Shape): void {
  element.textContent = "";
  element.setAttribute("font-family", FAMILY);
  element.setAttribute("font-size", String(fontSize));
  for (const [index, line] of text.split("\n").entries()) {
    const span = document.createElementNS(NAMESPACE, "tspan");
    span.setAttribute("x", "0");
    span.setAttribute("y", String((index + 0.75) * LINE_HEIGHT * fontSize));
    span.textContent = line;
    element.append(span);
  }
}

const urlOf = (root: Element): string =>
  `data:image/svg+xml;utf8,${encodeURIComponent(new XMLSerializer().serializeToString(root))}`;
