/** The Affinity pictures: a white glyph on a circle or a rounded square of one colour. */
import type { AffinityName, Colour, Shape } from "../shared/schemas/builtin-symbols.ts";
import { drawGlyph, type Glyph } from "./glyphs.ts";

const GLYPHS: Readonly<Record<AffinityName, Glyph>> = {
  access_point: "waves",
  antenna: "mast",
  atm: "four-corners",
  building: "building",
  camera: "camera",
  client: "monitor",
  client_vm: "monitor-cog",
  cloud: "cloud",
  database: "database",
  docker: "container",
  firewall3: "brick-wall-fire",
  home: "house",
  hub: "one-to-many",
  internet: "globe",
  isdn: "paths",
  laptop: "laptop",
  load_balancer: "one-of-two",
  nat: "around",
  phone: "phone",
  printer: "printer",
  router: "four-ways",
  satellite: "satellite",
  server: "server",
  storage: "disk",
  switch: "two-ways",
  switch_multilayer: "layers",
  tablet: "tablet",
  user: "user",
  virtualbox: "box",
  vmware: "copies",
  bug: "bug",
  camera_dome: "camera-lens",
  coffee: "coffee",
  cog: "cog",
  communications: "megaphone",
  conversation: "talk",
  dna: "dna",
  dna2: "helix",
  dslam: "cable",
  factory: "factory",
  fingerprint: "fingerprint",
  firewall: "flame",
  globe: "earth",
  grid: "grid",
  grid2: "grid-of-four",
  health: "heart",
  house: "house-wifi",
  inspect: "magnifier",
  inspect2: "scan",
  interconnect: "mesh",
  ip_phone: "voicemail",
  ldap: "book",
  light_bulb: "bulb",
  link: "link",
  loadbalancer: "balance",
  nas: "stack",
  nat2: "crossed",
  office: "office",
  optical: "light",
  phone_cloud: "cloudy",
  phone_old: "handset",
  phone_wireless: "smartphone",
  pinpoint: "pin",
  rj45: "socket",
  router2: "hub-of-ways",
  router_cloud: "cloud-up",
  satellite_dish: "dish",
  scull: "skull",
  server_cluster: "servers",
  shield: "shield",
  statistics: "chart",
  template: "layout",
  tree: "tree",
  vm: "cpu",
  vrf: "routes",
  wifi: "waves-of-two",
  wlc: "receiver",
  xml: "code",
};

/** Each is dark enough for white lines on it (contrast over 4.5 to 1). */
const FILLS: Readonly<Record<Colour, string>> = {
  blue: "#1f6fb2",
  gray: "#5b6673",
  green: "#2a7d46",
  red: "#c0392b",
};

/** @returns the content of the `svg` element of a picture `side` wide and high. */
export function drawAffinity(shape: Shape, colour: Colour, name: AffinityName, side: number): string {
  const middle = side / 2;
  const fill = FILLS[colour];
  const ground =
    shape === "circle"
      ? `<circle cx="${middle}" cy="${middle}" r="${middle - 1}" fill="${fill}"/>`
      : `<rect x="1" y="1" width="${side - 2}" height="${side - 2}" rx="10" fill="${fill}"/>`;
  const place = { x: middle, y: middle, stroke: "#fff", strokeWidth: 2.6 };
  return ground + drawGlyph(GLYPHS[name], { ...place, side: shape === "circle" ? 36 : 40 });
}
