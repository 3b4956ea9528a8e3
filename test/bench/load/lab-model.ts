/** The expected state of a lab after its requests. It is plain data, so a copy can model another outcome. */

export interface NodeModel {
  readonly name: string;
  status: "started" | "stopped" | "suspended";
  x: number;
}

export interface LinkModel {
  /** Ids of the link's nodes. */
  readonly ends: readonly [string, string];
  delayMs: number;
  /** Id of the running capture. */
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

/** Packets that a capture must hold. The model leaves out ARP, which depends on the devices' caches. */
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

/** Formats a value independently of the order in which its keys were added. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
