/** The expected state of a lab after its requests: plain data, so that a copy can model another outcome. */

export interface NodeModel {
  readonly name: string;
  status: "started" | "stopped" | "suspended";
  x: number;
}

export interface LinkModel {
  /** Ids of its nodes. */
  readonly ends: readonly [string, string];
  delayMs: number;
  /** Of the capture that runs. */
  capture: string | null;
}

export interface CaptureModel {
  readonly link: string;
  status: "capturing" | "stopped";
}

export interface LabModel {
  status: "opened" | "closed";
  zoom: number;
  readonly nodes: Record<string, NodeModel>;
  readonly links: Record<string, LinkModel>;
  readonly captures: Record<string, CaptureModel>;
}

/** Packets that a capture must hold; those of ARP come and go with the devices' memories, and are not foreseen. */
export interface Traffic {
  echoes: number;
  replayed: number;
}

/** Switches and hubs are always on. */
export const isPc = ({ name }: NodeModel): boolean => name.startsWith("PC");

export function stopAll(model: LabModel): void {
  for (const node of Object.values(model.nodes)) if (isPc(node)) node.status = "stopped";
  for (const link of Object.values(model.links)) stopCapture(model, link);
}

export function stopCapture(model: LabModel, link: LinkModel): void {
  if (link.capture === null) return;
  model.captures[link.capture]!.status = "stopped";
  link.capture = null;
}

export function removeLink(model: LabModel, linkId: string): void {
  delete model.links[linkId];
  for (const [id, capture] of Object.entries(model.captures)) {
    if (capture.link === linkId) delete model.captures[id];
  }
}

export function removeNode(model: LabModel, nodeId: string): void {
  delete model.nodes[nodeId];
  for (const [id, link] of Object.entries(model.links)) if (link.ends.includes(nodeId)) removeLink(model, id);
}

/** Independent of the order in which things came about. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
