/** What the commands of table.ts do. */
import { isTyped, openConsole } from "../consoles/open-consoles.ts";
import { align, distribute, layOut } from "../edit/arrange.ts";
import { setCapture } from "../edit/capture.ts";
import { changeParts, fieldEdits } from "../edit/change.ts";
import { copySelected, paste } from "../edit/clipboard.ts";
import { moveDrawings } from "../edit/drawings.ts";
import { moveNodes } from "../edit/move.ts";
import { progress } from "../edit/power.ts";
import { removeSelected } from "../edit/remove.ts";
import { restart, setPower, switchAll, switchNodes } from "../edit/switch.ts";
import type { Lab } from "../lab/lab.ts";
import { addReach } from "../tests/make-check.ts";
import { openDialog } from "../ui/open-dialog.ts";
import { cableFrom, contextMenu, isConnecting, switchPortNames, view } from "../viewport/tools.ts";
import type { CommandId } from "./table.ts";

/** The press of keys, if keys have called the command. */
export interface Press {
  readonly key: string;
  readonly target: Element;
}

interface Action {
  /** Whether the command can do something now; without it, always. Menus and the palette leave out what cannot. */
  readonly can?: (lab: Lab) => boolean;
  /** @returns false if the press is for another purpose. */
  readonly run: (lab: Lab, press?: Press) => unknown;
}

const savePicture = async (lab: Lab, kind: "png" | "svg"): Promise<void> =>
  (await import("../topology/save-picture.ts")).savePicture(lab, kind);

const STEP = 10;
/** How many steps of a device one step of the canvas is. */
const PAN_STEPS = 6;

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

const chosenNodes = ({ selection, nodes }: Lab) =>
  [...selection.value].flatMap((id) => nodes.value.get(id) ?? []);
const chosenLinks = ({ selection, links }: Lab) =>
  [...selection.value].flatMap((id) => links.value.get(id) ?? []);
const chosenDrawings = ({ selection, drawings }: Lab) =>
  [...selection.value].flatMap((id) => drawings.value.get(id) ?? []);

const hasNodes =
  (least: number) =>
  (lab: Lab): boolean =>
    chosenNodes(lab).length >= least;
const hasConsole = (lab: Lab): boolean => chosenNodes(lab).some(isTyped);

/** Moves the selected devices; without them, what the canvas shows. Lists that have the focus scroll. */
function move(lab: Lab, { key, target }: Press): unknown {
  const [dx, dy] = ARROWS[key]!;
  const nodes = chosenNodes(lab);
  const places = nodes.map(({ node_id, x, y }) => [node_id, { x: x + dx, y: y + dy }] as const);
  const drawings = chosenDrawings(lab).map(({ drawing_id }) => drawing_id);
  if (places.length + drawings.length > 0)
    return (async () => {
      if (places.length > 0) await moveNodes(lab, new Map(places));
      await moveDrawings(lab, drawings, dx, dy);
    })();
  if (target !== document.body && !target.closest(".canvas")) return false;
  view.value?.panBy(-dx * PAN_STEPS, -dy * PAN_STEPS);
  return undefined;
}

/** A probe goes from a device with a console to another one. */
const areTwoEnds = (lab: Lab): boolean => {
  const nodes = chosenNodes(lab);
  return lab.selection.value.size === 2 && nodes.length === 2 && nodes.every(isTyped);
};

async function setLocked(lab: Lab, locked: boolean): Promise<void> {
  const nodes = chosenNodes(lab).map(({ node_id }) => [node_id, { locked }] as const);
  const drawings = chosenDrawings(lab).map(({ drawing_id }) => [drawing_id, { locked }] as const);
  const edits = [...fieldEdits("node", new Map(nodes)), ...fieldEdits("drawing", new Map(drawings))];
  await changeParts(lab, edits, locked ? "lock" : "unlock");
}

const isSomeLocked =
  (locked: boolean) =>
  (lab: Lab): boolean =>
    [...chosenNodes(lab), ...chosenDrawings(lab)].some((part) => part.locked === locked);

async function setSuspended(lab: Lab, suspend: boolean): Promise<void> {
  const links = chosenLinks(lab).map(({ link_id }) => [link_id, { suspend }] as const);
  await changeParts(lab, fieldEdits("link", new Map(links)), suspend ? "suspend links" : "resume links");
}

async function capture(lab: Lab, isOn: boolean): Promise<void> {
  for (const { link_id, capturing } of chosenLinks(lab))
    if (capturing !== isOn) await setCapture(lab, link_id, isOn);
}

const someLink =
  (field: "suspend" | "capturing", value: boolean) =>
  (lab: Lab): boolean =>
    chosenLinks(lab).some((link) => link[field] === value);

/** At what has the focus in a list; else in the middle of the map. */
function openMenu(press?: Press): void {
  const inList = press?.target.closest(".parts li");
  const place = inList ?? document.querySelector(".canvas");
  if (!place) return;
  const { left, top, width, height } = place.getBoundingClientRect();
  const at = { clientX: left + width / 2, clientY: top + height / 2 };
  if (inList) inList.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true, ...at }));
  else contextMenu.value = { x: at.clientX, y: at.clientY };
}

/** The name is the first field of a panel. */
function focusName(): void {
  const field = document.querySelector<HTMLInputElement>(".settings .panel input, .settings .panel textarea");
  field?.focus();
  field?.select();
}

export const ACTIONS: Readonly<Record<CommandId, Action>> = {
  openConsole: {
    can: hasConsole,
    run: (lab, press) => {
      if (press?.target.closest("button, a")) return false;
      for (const node of chosenNodes(lab)) if (isTyped(node)) openConsole(node.node_id);
      return undefined;
    },
  },
  rename: {
    can: ({ selection, nodes, drawings }) => {
      const [id = "", ...others] = selection.value;
      return others.length === 0 && (nodes.value.has(id) || drawings.value.has(id));
    },
    run: focusName,
  },
  switchPower: { can: hasNodes(1), run: (lab) => switchNodes(lab, chosenNodes(lab)) },
  start: {
    can: (lab) => chosenNodes(lab).some(({ status }) => status !== "started"),
    run: (lab) => setPower(lab, chosenNodes(lab), "started"),
  },
  stop: {
    can: (lab) => chosenNodes(lab).some(({ status }) => status !== "stopped"),
    run: (lab) => setPower(lab, chosenNodes(lab), "stopped"),
  },
  suspend: {
    can: (lab) => chosenNodes(lab).some(({ status }) => status === "started"),
    run: (lab) =>
      setPower(
        lab,
        chosenNodes(lab).filter(({ status }) => status === "started"),
        "suspended",
      ),
  },
  restart: {
    can: (lab) => chosenNodes(lab).some(({ status }) => status === "started"),
    run: (lab) =>
      restart(
        lab,
        chosenNodes(lab).filter(({ status }) => status === "started"),
      ),
  },
  suspendLinks: { can: someLink("suspend", false), run: (lab) => setSuspended(lab, true) },
  resumeLinks: { can: someLink("suspend", true), run: (lab) => setSuspended(lab, false) },
  startCapture: { can: someLink("capturing", false), run: (lab) => capture(lab, true) },
  stopCapture: { can: someLink("capturing", true), run: (lab) => capture(lab, false) },
  cableFrom: {
    can: (lab) => lab.selection.value.size === 1 && chosenNodes(lab).some(({ ports }) => ports.length > 0),
    run: ({ selection }) => {
      isConnecting.value = false;
      [cableFrom.value = null] = selection.value;
      isConnecting.value = true;
    },
  },
  cable: {
    run: () => {
      isConnecting.value = !isConnecting.value;
    },
  },
  layOut: { can: ({ nodes }) => nodes.value.size > 1, run: layOut },
  alignRow: { can: hasNodes(2), run: (lab) => align(lab, "row") },
  alignColumn: { can: hasNodes(2), run: (lab) => align(lab, "column") },
  distributeRow: { can: hasNodes(3), run: (lab) => distribute(lab, "row") },
  distributeColumn: { can: hasNodes(3), run: (lab) => distribute(lab, "column") },
  lock: { can: isSomeLocked(false), run: (lab) => setLocked(lab, true) },
  unlock: { can: isSomeLocked(true), run: (lab) => setLocked(lab, false) },
  copy: {
    can: (lab) => chosenNodes(lab).length + chosenDrawings(lab).length > 0,
    // A selected text is copied as a text.
    run: (lab, press) => (press && String(getSelection() ?? "") !== "" ? false : copySelected(lab)),
  },
  paste: { run: paste },
  remove: { can: ({ selection }) => selection.value.size > 0, run: removeSelected },
  selectAll: {
    run: (lab) => {
      const { nodes, links, drawings } = lab;
      lab.selection.value = new Set([...nodes.value.keys(), ...links.value.keys(), ...drawings.value.keys()]);
    },
  },
  selectNone: {
    run: (lab) => {
      isConnecting.value = false;
      lab.selection.value = new Set();
    },
  },
  move: { run: (lab, press) => (press === undefined ? undefined : move(lab, press)) },
  menu: { run: (_lab, press) => openMenu(press) },
  mustReach: { can: areTwoEnds, run: (lab) => addReach(lab, false) },
  mustNotReach: { can: areTwoEnds, run: (lab) => addReach(lab, true) },
  mustCarry: {
    can: (lab) => lab.selection.value.size === 1 && chosenLinks(lab).length === 1,
    run: () => openDialog("carry"),
  },
  undo: { can: ({ history }) => history.lastDone.value !== undefined, run: ({ history }) => history.undo() },
  redo: {
    can: ({ history }) => history.lastUndone.value !== undefined,
    run: ({ history }) => history.redo(),
  },
  startAll: { can: () => progress.value === null, run: (lab) => switchAll(lab, "start") },
  stopAll: { can: () => progress.value === null, run: (lab) => switchAll(lab, "stop") },
  snapshots: { run: () => openDialog("snapshots") },
  share: { run: () => openDialog("share") },
  savePng: { run: (lab) => savePicture(lab, "png") },
  saveSvg: { run: (lab) => savePicture(lab, "svg") },
  zoomIn: { run: () => view.value?.zoomBy(1.25) },
  zoomOut: { run: () => view.value?.zoomBy(0.8) },
  showAll: { run: () => view.value?.showAll() },
  portNames: { run: switchPortNames },
  search: { run: () => openDialog("search") },
  palette: { run: () => openDialog("palette") },
  keyList: { run: () => openDialog("keys") },
};
