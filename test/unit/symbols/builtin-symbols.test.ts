import { describe, expect, test } from "vitest";
import {
  BUILTIN_SYMBOLS,
  builtinByFilename,
  builtinSymbol,
  DEFAULT_SYMBOLS,
} from "../../../functions/shared/schemas/builtin-symbols.ts";
import { symbolId } from "../../../functions/shared/schemas/ids.ts";

const THEMES = [
  "Classic",
  ...["circle", "square"].flatMap((shape) =>
    ["blue", "gray", "green", "red"].map((colour) => `Affinity-${shape}-${colour}`),
  ),
];

/** Default symbols: docs/interface.md, section 5.3. */
const ROLES = [
  ["cloud", "cloud.svg", "cloud.svg"],
  ["nat", "nat.svg", "nat.svg"],
  ["ethernet_switch", "ethernet_switch.svg", "switch.svg"],
  ["ethernet_hub", "hub.svg", "hub.svg"],
  ["frame_relay_switch", "frame_relay_switch.svg", "isdn.svg"],
  ["atm_switch", "atm_switch.svg", "atm.svg"],
  ["router", "router.svg", "router.svg"],
  ["multilayer_switch", "multilayer_switch.svg", "switch_multilayer.svg"],
  ["firewall", "firewall.svg", "firewall3.svg"],
  ["computer", "computer.svg", "client.svg"],
  ["vpcs_guest", "vpcs_guest.svg", "client.svg"],
  ["qemu_guest", "qemu_guest.svg", "client_vm.svg"],
  ["vbox_guest", "vbox_guest.svg", "virtualbox.svg"],
  ["vmware_guest", "vmware_guest.svg", "vmware.svg"],
  ["docker_guest", "docker_guest.svg", "docker.svg"],
];

/** Sizes of built-in symbols: docs/interface.md, section 5.5. */
const STOCK_SIZES = [
  [65, 59, ["computer", "vpcs_guest", "qemu_guest", "docker_guest", "vbox_guest", "vmware_guest"]],
  [66, 45, ["router", "firewall"]],
  [72, 32, ["ethernet_switch", "hub"]],
  [159, 71, ["cloud", "nat"]],
  [51, 48, ["frame_relay_switch", "atm_switch", "multilayer_switch"]],
  [49, 70, ["server"]],
] as const;

describe("built-in symbols", () => {
  test("ids are valid, unique, and their last segment is the file name", () => {
    const ids = BUILTIN_SYMBOLS.map((symbol) => symbol.symbol_id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { symbol_id, filename } of BUILTIN_SYMBOLS) {
      expect(symbolId.safeParse(symbol_id).success).toBe(true);
      expect(symbol_id.endsWith(`/${filename}`)).toBe(true);
      expect(builtinSymbol(symbol_id)?.symbol_id).toBe(symbol_id);
    }
  });

  test("Classic is the first theme, and each theme has the extras", () => {
    const byTheme = Map.groupBy(BUILTIN_SYMBOLS, (symbol) => symbol.theme);
    expect([...byTheme.keys()]).toEqual(THEMES);
    for (const symbols of byTheme.values()) expect(symbols.length).toBeGreaterThanOrEqual(30);
  });

  test.each([
    ["classic/PBX", 51, 48],
    ["classic/asa", 52, 60],
    ["classic/router.awp", 70, 50],
    ["classic/sip_server", 40, 60],
    ["classic/wlan_controller", 72, 32],
    ["affinity/circle/red/router2", 60, 60],
    ["affinity/square/gray/server_cluster", 60, 60],
  ])("has %s, which saved projects name", (path, width, height) => {
    expect(builtinSymbol(`:/symbols/${path}.svg`)).toMatchObject({ width, height });
  });

  test("has the 43 Classic symbols and the 70 of each Affinity theme that saved projects name", () => {
    const count = (theme: string) => BUILTIN_SYMBOLS.filter((symbol) => symbol.theme === theme).length;
    const ours = { classic: 13, affinity: 8 };
    expect(count("Classic")).toBe(43 + ours.classic);
    for (const theme of THEMES.slice(1)) expect(count(theme)).toBe(70 + ours.affinity);
  });

  test("an Affinity id names shape and colour, and every size is 60 by 60", () => {
    const { width, height, theme } = builtinSymbol(":/symbols/affinity/square/green/switch.svg")!;
    expect([width, height, theme]).toEqual([60, 60, "Affinity-square-green"]);
  });

  test.each(STOCK_SIZES.flatMap(([width, height, names]) => names.map((name) => [name, width, height])))(
    "Classic %s is %d by %d",
    (name, width, height) => {
      const symbol = builtinSymbol(`:/symbols/classic/${name}.svg`)!;
      expect([symbol.width, symbol.height]).toEqual([width, height]);
    },
  );

  test.each([
    ["router.svg", ":/symbols/classic/router.svg"],
    ["vpcs_guest.svg", ":/symbols/classic/vpcs_guest.svg"],
    ["switch.svg", ":/symbols/affinity/circle/blue/switch.svg"],
  ])("the file name %s finds %s", (filename, symbolId) => {
    expect(builtinByFilename(filename)?.symbol_id).toBe(symbolId);
  });

  test.each(["", "router", "ROUTER.svg", "__proto__", "constructor"])(
    "the file name %j finds no symbol",
    (filename) => {
      expect(builtinByFilename(filename)).toBeUndefined();
      expect(builtinSymbol(filename)).toBeUndefined();
    },
  );
});

describe("default symbols", () => {
  test("every theme has the fifteen roles and the ids of the interface", () => {
    expect(Object.keys(DEFAULT_SYMBOLS)).toEqual(THEMES);
    for (const [theme, symbols] of Object.entries(DEFAULT_SYMBOLS)) {
      const folder = `:/symbols/${theme.toLowerCase().replaceAll("-", "/")}`;
      const expected = ROLES.map(([role, classic, affinity]) => [
        role,
        `${folder}/${theme === "Classic" ? classic : affinity}`,
      ]);
      expect(Object.entries(symbols)).toEqual(expected);
    }
  });

  test("every default symbol exists in its theme", () => {
    for (const [theme, symbols] of Object.entries(DEFAULT_SYMBOLS)) {
      for (const id of Object.values(symbols)) expect(builtinSymbol(id)?.theme).toBe(theme);
    }
  });
});
