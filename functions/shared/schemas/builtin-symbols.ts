/**
 * The built-in symbols: themes, ids and sizes. Existing clients and saved projects use these file names, ids, sizes and roles
 * (docs/interface.md, sections 5.2, 5.3 and 5.5). The symbols group draws the pictures.
 */

/** Classic symbols that saved projects name, and that this service has not had from its start. */
const LATER_CLASSIC = {
  PBX: [51, 48],
  PIX_firewall: [66, 45],
  access_server: [51, 48],
  asa: [52, 60],
  atm_bridge: [72, 32],
  call_manager: [75, 47],
  dslam: [50, 53],
  edge_label_switch_router: [66, 45],
  gateway: [66, 56],
  ids: [51, 48],
  iosv_l2_virl: [51, 48],
  iosv_virl: [66, 56],
  ip_phone: [40, 25],
  label_switch_router: [66, 56],
  lightweight_ap: [72, 32],
  optical_router: [66, 56],
  route_switch_processor: [51, 66],
  "router.awp": [70, 50],
  router_firewall: [66, 45],
  router_netflow: [66, 45],
  sip_server: [40, 60],
  traceng: [65, 59],
  voice_access_server: [51, 48],
  voice_router: [66, 45],
  wlan_controller: [72, 32],
} as const satisfies Record<string, readonly [number, number]>;

/** Name without `.svg` -> width and height in pixels. */
const CLASSIC = {
  atm_switch: [51, 48],
  cloud: [159, 71],
  computer: [65, 59],
  docker_guest: [65, 59],
  ethernet_switch: [72, 32],
  firewall: [66, 45],
  frame_relay_switch: [51, 48],
  hub: [72, 32],
  multilayer_switch: [51, 48],
  nat: [159, 71],
  qemu_guest: [65, 59],
  router: [66, 45],
  server: [49, 70],
  vbox_guest: [65, 59],
  vmware_guest: [65, 59],
  vpcs_guest: [65, 59],
  access_point: [72, 32],
  antenna: [50, 50],
  building: [50, 50],
  camera: [50, 50],
  database: [50, 50],
  home: [50, 50],
  internet: [50, 50],
  laptop: [50, 50],
  load_balancer: [51, 48],
  phone: [50, 50],
  printer: [68, 67],
  satellite: [50, 50],
  storage: [66, 45],
  tablet: [50, 50],
  user: [50, 50],
  ...LATER_CLASSIC,
} as const satisfies Record<string, readonly [number, number]>;
export type ClassicName = keyof typeof CLASSIC;

/** As LATER_CLASSIC. */
const LATER_AFFINITY = [
  "bug",
  "camera_dome",
  "coffee",
  "cog",
  "communications",
  "conversation",
  "dna",
  "dna2",
  "dslam",
  "factory",
  "fingerprint",
  "firewall",
  "globe",
  "grid",
  "grid2",
  "health",
  "house",
  "inspect",
  "inspect2",
  "interconnect",
  "ip_phone",
  "ldap",
  "light_bulb",
  "link",
  "loadbalancer",
  "nas",
  "nat2",
  "office",
  "optical",
  "phone_cloud",
  "phone_old",
  "phone_wireless",
  "pinpoint",
  "rj45",
  "router2",
  "router_cloud",
  "satellite_dish",
  "scull",
  "server_cluster",
  "shield",
  "statistics",
  "template",
  "tree",
  "vm",
  "vrf",
  "wifi",
  "wlc",
  "xml",
] as const;

const AFFINITY = [
  "atm",
  "client",
  "client_vm",
  "cloud",
  "docker",
  "firewall3",
  "hub",
  "isdn",
  "nat",
  "router",
  "switch",
  "switch_multilayer",
  "virtualbox",
  "vmware",
  "access_point",
  "antenna",
  "building",
  "camera",
  "database",
  "home",
  "internet",
  "laptop",
  "load_balancer",
  "phone",
  "printer",
  "satellite",
  "server",
  "storage",
  "tablet",
  "user",
  ...LATER_AFFINITY,
] as const;
export type AffinityName = (typeof AFFINITY)[number];

const AFFINITY_SIZE = 60;

const SHAPES = ["circle", "square"] as const;
const COLOURS = ["blue", "gray", "green", "red"] as const;
export type Shape = (typeof SHAPES)[number];
export type Colour = (typeof COLOURS)[number];

/** Role of a node -> file name in Classic, and in every Affinity theme. */
const ROLES = {
  cloud: ["cloud", "cloud"],
  nat: ["nat", "nat"],
  ethernet_switch: ["ethernet_switch", "switch"],
  ethernet_hub: ["hub", "hub"],
  frame_relay_switch: ["frame_relay_switch", "isdn"],
  atm_switch: ["atm_switch", "atm"],
  router: ["router", "router"],
  multilayer_switch: ["multilayer_switch", "switch_multilayer"],
  firewall: ["firewall", "firewall3"],
  computer: ["computer", "client"],
  vpcs_guest: ["vpcs_guest", "client"],
  qemu_guest: ["qemu_guest", "client_vm"],
  vbox_guest: ["vbox_guest", "virtualbox"],
  vmware_guest: ["vmware_guest", "vmware"],
  docker_guest: ["docker_guest", "docker"],
} as const satisfies Record<string, readonly [ClassicName, AffinityName]>;

/** The kind of picture: a Classic drawing, or a glyph on a shape of one colour. */
type Picture =
  | { readonly theme: "classic"; readonly name: ClassicName }
  | {
      readonly theme: "affinity";
      readonly shape: Shape;
      readonly colour: Colour;
      readonly name: AffinityName;
    };

export interface BuiltinSymbol {
  readonly symbol_id: string;
  readonly filename: string;
  readonly theme: string;
  readonly width: number;
  readonly height: number;
  readonly picture: Picture;
}

const classicId = (name: ClassicName): string => `:/symbols/classic/${name}.svg`;
const affinityId = (shape: Shape, colour: Colour, name: AffinityName): string =>
  `:/symbols/affinity/${shape}/${colour}/${name}.svg`;

const AFFINITY_THEMES = SHAPES.flatMap((shape) =>
  COLOURS.map((colour) => ({ shape, colour, theme: `Affinity-${shape}-${colour}` })),
);

/** Every built-in symbol, Classic first, then the other themes in their order. */
export const BUILTIN_SYMBOLS: readonly BuiltinSymbol[] = [
  ...(Object.keys(CLASSIC) as ClassicName[]).map((name) => ({
    symbol_id: classicId(name),
    filename: `${name}.svg`,
    theme: "Classic",
    width: CLASSIC[name][0],
    height: CLASSIC[name][1],
    picture: { theme: "classic", name } as const,
  })),
  ...AFFINITY_THEMES.flatMap(({ shape, colour, theme }) =>
    AFFINITY.map((name) => ({
      symbol_id: affinityId(shape, colour, name),
      filename: `${name}.svg`,
      theme,
      width: AFFINITY_SIZE,
      height: AFFINITY_SIZE,
      picture: { theme: "affinity", shape, colour, name } as const,
    })),
  ),
];

const byId = new Map(BUILTIN_SYMBOLS.map((symbol) => [symbol.symbol_id, symbol]));
/** Reversed, so that the first theme wins if several themes have the same file name. */
const byFilename = new Map(BUILTIN_SYMBOLS.toReversed().map((symbol) => [symbol.filename, symbol]));

const LATER: ReadonlySet<string> = new Set([...Object.keys(LATER_CLASSIC), ...LATER_AFFINITY]);

/** Whether a client may have uploaded a symbol under the id of this one, before it was built in. */
export const mayBeUploaded = ({ picture }: BuiltinSymbol): boolean => LATER.has(picture.name);

/** @returns the built-in symbol with exactly this id. */
export const builtinSymbol = (symbolId: string): BuiltinSymbol | undefined => byId.get(symbolId);

/** @returns the first built-in symbol with this file name; Classic precedes the other themes. */
export const builtinByFilename = (filename: string): BuiltinSymbol | undefined => byFilename.get(filename);

const roleMap = (idOf: (names: (typeof ROLES)[keyof typeof ROLES]) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(ROLES).map(([role, names]) => [role, idOf(names)]));

/** Theme -> role of a node -> symbol id. */
export const DEFAULT_SYMBOLS: Readonly<Record<string, Record<string, string>>> = Object.fromEntries([
  ["Classic", roleMap(([name]) => classicId(name))],
  ...AFFINITY_THEMES.map(({ shape, colour, theme }) => [
    theme,
    roleMap(([, name]) => affinityId(shape, colour, name)),
  ]),
]);
