/**
 * The commands of a lab's view: the one table from which its keys, context menus, palette, list of keys and documentation follow.
 * What they do is in actions.ts. Pure.
 */

/** What a context menu belongs to. */
export type Place = "device" | "link" | "drawing" | "map";

export interface CommandRow {
  /** As menus and the palette show it. */
  readonly name: string;
  /** As `Ctrl-Shift-Z`; Ctrl is also the command key of a Mac. */
  readonly keys?: readonly string[];
  /** What the keys do, for the list of keys, if the name does not say it. */
  readonly about?: string;
  /** The context menus that have it. */
  readonly menus?: readonly Place[];
  /** Rows of a menu that belong together. */
  readonly group: "open" | "power" | "edit" | "place" | "link" | "lab" | "view" | "find" | "test" | "history";
  /** Whether fields of forms leave its keys to it. */
  readonly isEverywhere?: true;
  /** Whether it makes no sense without its keys. */
  readonly isKeyOnly?: true;
}

const PARTS = ["device", "link", "drawing"] as const;

export const COMMANDS = {
  openConsole: {
    name: "Open console",
    keys: ["Enter"],
    about: "open the consoles of the selected devices, as a double-click does",
    menus: ["device"],
    group: "open",
  },
  rename: { name: "Rename", keys: ["F2"], menus: ["device", "drawing"], group: "open" },
  switchPower: {
    name: "Start or stop",
    keys: ["S"],
    about: "start or stop the selected devices",
    group: "power",
  },
  start: { name: "Start", menus: ["device"], group: "power" },
  stop: { name: "Stop", menus: ["device"], group: "power" },
  suspend: { name: "Suspend", menus: ["device"], group: "power" },
  restart: { name: "Restart", menus: ["device"], group: "power" },
  suspendLinks: { name: "Suspend link", menus: ["link"], group: "link" },
  resumeLinks: { name: "Resume link", menus: ["link"], group: "link" },
  startCapture: { name: "Start capture", menus: ["link"], group: "link" },
  stopCapture: { name: "Stop capture", menus: ["link"], group: "link" },
  cableFrom: { name: "Draw a cable from here", menus: ["device"], group: "link" },
  cable: {
    name: "Draw cables",
    keys: ["C"],
    about: "draw cables, or stop it: click two devices, or drag from one to the other",
    menus: ["map"],
    group: "link",
  },
  layOut: {
    name: "Arrange in layers",
    keys: ["L"],
    about: "arrange the selected devices, or all, in layers",
    menus: ["map"],
    group: "place",
  },
  alignRow: { name: "Align in a row", keys: ["R"], menus: ["device"], group: "place" },
  alignColumn: { name: "Align in a column", keys: ["K"], menus: ["device"], group: "place" },
  distributeRow: { name: "Distribute from left to right", keys: ["H"], menus: ["device"], group: "place" },
  distributeColumn: { name: "Distribute from top to bottom", keys: ["V"], menus: ["device"], group: "place" },
  lock: { name: "Lock", menus: ["device", "drawing"], group: "place" },
  unlock: { name: "Unlock", menus: ["device", "drawing"], group: "place" },
  copy: {
    name: "Copy",
    keys: ["Ctrl-C"],
    about: "copy the selected devices with the links among them and their files, also to other tabs",
    menus: ["device"],
    group: "edit",
  },
  paste: { name: "Paste", keys: ["Ctrl-V"], menus: ["map"], group: "edit" },
  remove: { name: "Delete", keys: ["Delete", "Backspace"], menus: PARTS, group: "edit" },
  selectAll: { name: "Select all", keys: ["Ctrl-A"], menus: ["map"], group: "edit" },
  selectNone: {
    name: "Select nothing",
    keys: ["Escape"],
    about: "select nothing, and stop drawing cables",
    group: "edit",
    isKeyOnly: true,
  },
  move: {
    name: "Move",
    keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
    about: "move the selected devices; without them, the map",
    group: "place",
    isKeyOnly: true,
  },
  menu: {
    name: "Menu",
    keys: ["ContextMenu", "Shift-F10"],
    about: "open the menu of what is selected, as a right click does",
    group: "find",
    isKeyOnly: true,
  },
  mustReach: { name: "Test: must reach", menus: ["device"], group: "test" },
  mustNotReach: { name: "Test: must not reach", menus: ["device"], group: "test" },
  mustCarry: { name: "Test: traffic of the link", menus: ["link"], group: "test" },
  undo: { name: "Undo", keys: ["Ctrl-Z"], menus: ["map"], group: "history" },
  redo: { name: "Redo", keys: ["Ctrl-Y", "Ctrl-Shift-Z"], menus: ["map"], group: "history" },
  startAll: { name: "Start all devices", group: "lab" },
  stopAll: { name: "Stop all devices", group: "lab" },
  snapshots: { name: "Snapshots", menus: ["map"], group: "lab" },
  share: { name: "Share", menus: ["map"], group: "lab" },
  savePng: { name: "Save as PNG", menus: ["map"], group: "lab" },
  saveSvg: { name: "Save as SVG", menus: ["map"], group: "lab" },
  zoomIn: { name: "Zoom in", keys: ["+"], group: "view" },
  zoomOut: { name: "Zoom out", keys: ["-"], group: "view" },
  showAll: { name: "Show the whole lab", keys: ["0"], menus: ["map"], group: "view" },
  portNames: {
    name: "Show or hide port names",
    keys: ["I"],
    menus: ["map"],
    group: "view",
  },
  search: {
    name: "Search",
    keys: ["Ctrl-F"],
    about: "search devices, addresses, links and commands",
    menus: ["map"],
    group: "find",
    isEverywhere: true,
  },
  palette: {
    name: "All commands",
    keys: ["Ctrl-K"],
    menus: ["map"],
    group: "find",
    isEverywhere: true,
  },
  keyList: { name: "Keys", keys: ["?"], about: "show this list", menus: ["map"], group: "find" },
} as const satisfies Readonly<Record<string, CommandRow>>;

export type CommandId = keyof typeof COMMANDS;

export const COMMAND_ROWS = Object.entries(COMMANDS) as readonly (readonly [CommandId, CommandRow])[];

const BY_KEY: ReadonlyMap<string, CommandId> = new Map(
  COMMAND_ROWS.flatMap(([id, { keys = [] }]) => keys.map((key) => [key, id] as const)),
);

export const commandOf = (keys: string): CommandId | undefined => BY_KEY.get(keys);

interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** @returns a press as the table writes keys. Shift is no part of signs, which take it on some keyboards. */
export function keysOf({ key, ctrlKey, metaKey, shiftKey, altKey }: Press): string {
  const isSign = key.length === 1 && key.toLowerCase() === key.toUpperCase();
  return [
    ...(ctrlKey || metaKey ? ["Ctrl"] : []),
    ...(altKey ? ["Alt"] : []),
    ...(shiftKey && !isSign ? ["Shift"] : []),
    key.length === 1 ? key.toUpperCase() : key,
  ].join("-");
}

const SHOWN_KEYS: Readonly<Record<string, string>> = {
  ContextMenu: "Menu",
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
};

/** @returns keys as people read them. */
export const shownKeys = (keys: string): string => SHOWN_KEYS[keys] ?? keys;

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

/** The keys, and what they do. */
export const KEY_LIST: readonly { readonly keys: readonly string[]; readonly about: string }[] =
  COMMAND_ROWS.flatMap(([, { keys, about, name }]) =>
    keys === undefined ? [] : [{ keys: keys.map(shownKeys), about: about ?? lowerFirst(name) }],
  );
