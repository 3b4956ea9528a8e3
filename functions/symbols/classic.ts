/**
 * The Classic pictures: pale bodies with dark outlines, and a glyph that shows the device. The body shows the family:
 * a screen for computers, a box for network devices, a cloud for remote networks, a tower for servers. Any other device
 * is a large glyph, filled, or in lines alone where its shapes are open.
 */
import type { ClassicName } from "../shared/schemas/builtin-symbols.ts";
import { drawGlyph, type Glyph } from "./glyphs.ts";

type Body = "screen" | "box" | "cloud" | "tower" | "filled" | "lines";

const PICTURES: Readonly<Record<ClassicName, readonly [Body, Glyph]>> = {
  access_point: ["box", "waves"],
  antenna: ["lines", "mast"],
  atm_switch: ["box", "four-corners"],
  building: ["filled", "building"],
  camera: ["filled", "camera"],
  cloud: ["cloud", "globe"],
  computer: ["screen", "user"],
  database: ["filled", "database"],
  docker_guest: ["screen", "container"],
  ethernet_switch: ["box", "two-ways"],
  firewall: ["box", "brick-wall"],
  frame_relay_switch: ["box", "paths"],
  home: ["filled", "house"],
  hub: ["box", "one-to-many"],
  internet: ["filled", "globe"],
  laptop: ["filled", "laptop"],
  load_balancer: ["box", "one-of-two"],
  multilayer_switch: ["box", "layers"],
  nat: ["cloud", "around"],
  phone: ["filled", "phone"],
  printer: ["filled", "printer"],
  qemu_guest: ["screen", "cpu"],
  router: ["box", "four-ways"],
  satellite: ["lines", "dish"],
  server: ["tower", "server"],
  storage: ["box", "disk"],
  tablet: ["filled", "tablet"],
  user: ["filled", "user"],
  vbox_guest: ["screen", "box"],
  vmware_guest: ["screen", "copies"],
  vpcs_guest: ["screen", "prompt"],
  PBX: ["box", "phone-forwarded"],
  PIX_firewall: ["box", "shield-half"],
  access_server: ["box", "door"],
  asa: ["box", "shield"],
  atm_bridge: ["box", "merge"],
  call_manager: ["box", "handset"],
  dslam: ["box", "cable"],
  edge_label_switch_router: ["box", "tag"],
  gateway: ["box", "hub-of-ways"],
  ids: ["box", "shield-alert"],
  iosv_l2_virl: ["box", "grid-of-four"],
  iosv_virl: ["box", "cpu"],
  ip_phone: ["box", "voicemail"],
  label_switch_router: ["box", "tags"],
  lightweight_ap: ["box", "radar"],
  optical_router: ["box", "light"],
  route_switch_processor: ["box", "blocks"],
  "router.awp": ["box", "zap"],
  router_firewall: ["box", "shield-check"],
  router_netflow: ["box", "chart"],
  sip_server: ["tower", "server"],
  traceng: ["screen", "steps"],
  voice_access_server: ["box", "phone-out"],
  voice_router: ["box", "voice"],
  wlan_controller: ["box", "receiver"],
};

const INK = "#24476b";
const PALE = "#e6eff8";
const SHADE = "#9dbad6";
const LINE = 2;

const rect = (x: number, y: number, width: number, height: number, rx: number, fill: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${rx}" fill="${fill}"/>`;
const outlined = (shapes: string): string => `<g stroke="${INK}" stroke-width="${LINE}">${shapes}</g>`;
const inked = (glyph: Glyph, x: number, y: number, side: number, fill?: string): string =>
  drawGlyph(glyph, { x, y, side, stroke: INK, strokeWidth: LINE, ...(fill && { fill }) });

/** @returns the content of the `svg` element of a picture of this size. */
export function drawClassic(name: ClassicName, width: number, height: number): string {
  const [body, glyph] = PICTURES[name];
  return BODIES[body](glyph, width, height);
}

const BODIES: Readonly<Record<Body, (glyph: Glyph, width: number, height: number) => string>> = {
  lines: (glyph, width, height) => inked(glyph, width / 2, height / 2, Math.min(width, height) + 4),

  filled: (glyph, width, height) => inked(glyph, width / 2, height / 2, Math.min(width, height) + 4, PALE),

  screen: (glyph, width, height) => {
    const foot = height - 12;
    const middle = width / 2;
    const stand = `<path d="M${middle} ${foot}V${height - 1}M${middle - 14} ${height - 1.5}h28" stroke-linecap="round"/>`;
    const frame = rect(1, 1, width - 2, foot - 1, 5, SHADE) + rect(6, 6, width - 12, foot - 11, 2, PALE);
    return outlined(stand + frame) + inked(glyph, middle, foot / 2 + 0.5, 28);
  },

  box: (glyph, width, height) => {
    const front = Math.round(height / 4);
    const top = height - front;
    const lamps = [0, 1, 2].map((i) => `<circle cx="${8 + 6 * i}" cy="${height - front / 2 - 1}" r="1.5"/>`);
    return (
      outlined(rect(1, 1, width - 2, height - 2, 6, SHADE) + rect(1, 1, width - 2, top - 1, 6, PALE)) +
      `<g fill="${INK}">${lamps.join("")}</g>` +
      inked(glyph, width / 2, top / 2 + 0.5, top - 4)
    );
  },

  cloud: (glyph, width, height) => {
    const edge = "M26 68A21 21 0 1 1 34 26.5A27 27 0 0 1 84 17A24 24 0 0 1 126 27A20.8 20.8 0 1 1 133 68Z";
    const scaled = `<path transform="scale(${width / 159} ${height / 71})" d="${edge}" fill="${PALE}"/>`;
    return outlined(scaled) + inked(glyph, width / 2, height / 2 + 5, 36);
  },

  tower: (_glyph, width, height) => {
    const drive = (y: number): string => rect(8, y, width - 16, 8, 2, PALE);
    const lamp = `<circle cx="${width / 2}" cy="${height - 13}" r="4" fill="${PALE}"/>`;
    return outlined(rect(1, 1, width - 2, height - 2, 6, SHADE) + drive(9) + drive(22) + lamp);
  },
};
