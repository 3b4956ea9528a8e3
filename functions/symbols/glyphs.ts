/**
 * The line drawings that the built-in symbols are made of: icons of Lucide, taken from the package `lucide-static`
 * (ISC licence, parts MIT; notices in README.md here). Named imports, so that a bundle holds these icons only.
 */
import {
  ArrowLeftRight,
  Box,
  BrickWall,
  BrickWallFire,
  Building2,
  Cctv,
  Cloud,
  Container,
  Copy,
  Cpu,
  Database,
  Expand,
  Globe,
  HardDrive,
  House,
  Laptop,
  Layers,
  Monitor,
  MonitorCog,
  Move,
  Phone,
  Printer,
  RadioTower,
  Repeat,
  SatelliteDish,
  Server,
  Share2,
  Split,
  Tablet,
  Terminal,
  User,
  Waypoints,
  Wifi,
} from "lucide-static";

/** Every icon is drawn on a square grid of this many units. */
const GRID = 24;

const ICONS = {
  "brick-wall": BrickWall,
  "brick-wall-fire": BrickWallFire,
  "four-ways": Move,
  "four-corners": Expand,
  "two-ways": ArrowLeftRight,
  "one-to-many": Share2,
  "one-of-two": Split,
  around: Repeat,
  box: Box,
  building: Building2,
  camera: Cctv,
  cloud: Cloud,
  container: Container,
  copies: Copy,
  cpu: Cpu,
  database: Database,
  disk: HardDrive,
  dish: SatelliteDish,
  globe: Globe,
  house: House,
  laptop: Laptop,
  layers: Layers,
  mast: RadioTower,
  monitor: Monitor,
  "monitor-cog": MonitorCog,
  paths: Waypoints,
  phone: Phone,
  printer: Printer,
  prompt: Terminal,
  server: Server,
  tablet: Tablet,
  user: User,
  waves: Wifi,
} as const satisfies Record<string, string>;
export type Glyph = keyof typeof ICONS;

/** A place for a glyph in a drawing: its centre and the side of its grid, in the drawing's units. */
export interface GlyphPlace {
  readonly x: number;
  readonly y: number;
  readonly side: number;
  readonly stroke: string;
  readonly strokeWidth: number;
  readonly fill?: string;
}

/** @returns the glyph as an SVG group, with lines as thick as asked whatever its size. */
export function drawGlyph(glyph: Glyph, place: GlyphPlace): string {
  const scale = place.side / GRID;
  const left = short(place.x - place.side / 2);
  const top = short(place.y - place.side / 2);
  const shapes = shapesOf(ICONS[glyph]);
  // Filled apart from its lines: an outline that comes late in an icon would paint over the details before it.
  const filled = place.fill === undefined ? "" : `<g fill="${place.fill}">${shapes}</g>`;
  return (
    `<g transform="translate(${left} ${top}) scale(${short(scale)})">${filled}<g stroke="${place.stroke}" ` +
    `stroke-width="${short(place.strokeWidth / scale)}" stroke-linecap="round" stroke-linejoin="round">` +
    `${shapes}</g></g>`
  );
}

/** Returns the content of an icon's `svg` element, on one line. */
function shapesOf(icon: string): string {
  const inner = icon.slice(icon.indexOf(">", icon.indexOf("<svg")) + 1, icon.lastIndexOf("</svg>"));
  return inner.replaceAll(/\s+/g, " ").replaceAll(/> </g, "><").replaceAll(" />", "/>").trim();
}

const short = (value: number): string => String(Math.round(value * 1000) / 1000);
