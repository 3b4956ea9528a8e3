/** Copies devices with the links among them, and drawings, also into other labs and other tabs of this browser. */
import type { Drawing, Link, Node } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";
import { notify } from "../ui/notices.tsx";
import type { Copied } from "./make-copies.ts";
import type { Parts } from "./recreate.ts";
import { noteMade } from "./remove.ts";

/** All tabs of a browser have the same local storage. */
const KEY = "wirelab.copied";

type CopiedLab = Pick<Lab, "path" | "nodes" | "links" | "drawings" | "impairments" | "selection">;

/** @returns the selected devices and drawings, and the links that have both ends among the devices. */
function copyOf({ path, nodes, links, drawings, impairments, selection }: CopiedLab): Copied {
  const isChosen = (id: string): boolean => selection.value.has(id);
  const chosen = [...nodes.value.values()].filter(({ node_id }) => isChosen(node_id));
  const ids = new Set(chosen.map(({ node_id }) => node_id));
  const among = [...links.value.values()].filter(({ nodes: ends }) =>
    ends.every(({ node_id }) => ids.has(node_id)),
  );
  return {
    path,
    nodes: chosen,
    links: among,
    drawings: [...drawings.value.values()].filter(({ drawing_id }) => isChosen(drawing_id)),
    impairments: Object.fromEntries(
      among.map(({ link_id }) => [link_id, impairments.value.get(link_id) ?? {}]),
    ),
  };
}

function keep(copied: Copied): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(copied));
  } catch {
    throw new Error("Not copied: the browser has no room for so many devices. Copy fewer of them.");
  }
}

export function copySelected(lab: CopiedLab): void {
  const copied = copyOf(lab);
  if (copied.nodes.length + copied.drawings.length > 0) keep(copied);
}

/** Makes what was copied. The service names each device, because names of a lab are different. */
export async function paste(lab: Lab): Promise<void> {
  const text = localStorage.getItem(KEY);
  if (text === null) return notify("Nothing is copied: select devices, and press Ctrl-C.");
  const { makeCopies } = await import("./make-copies.ts");
  const made = { nodes: [] as Node[], links: [] as Link[], drawings: [] as Drawing[] };
  try {
    const lost = await makeCopies(lab, JSON.parse(text) as Copied, made);
    if (lost.length > 0) notify(`Pasted without the files of ${lost.join(", ")}: they cannot be read.`, true);
  } finally {
    if (made.nodes.length + made.drawings.length > 0) notePasted(lab, made);
  }
}

function notePasted(lab: Lab, { nodes, drawings }: Parts): void {
  const made = new Set([
    ...nodes.map(({ node_id }) => node_id),
    ...drawings.map(({ drawing_id }) => drawing_id),
  ]);
  lab.selection.value = made;
  // The next copy lies beside this one.
  copySelected(lab);
  noteMade(lab, made.size === 1 ? "paste a part" : `paste ${made.size} parts`, made);
}
