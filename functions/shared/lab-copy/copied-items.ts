/** The items of the table that a copy of a lab consists of, as changes of a commit. */
import type { ProjectSettings } from "../schemas/project.ts";
import { putItem as put } from "../store/commit/put-item.ts";
import type { PutChange } from "../store/commit/run-changes.ts";
import { FileEntity } from "../store/file/project-file.ts";
import { CaptureEntity, type CaptureItem } from "../store/lab/capture.ts";
import { DrawingEntity } from "../store/lab/drawing.ts";
import { LinkEntity } from "../store/lab/link.ts";
import {
  claimedConsole,
  NodeConsoleEntity,
  NodeEntity,
  NodeIndexEntity,
  type NodeItem,
  NodeNameEntity,
  portKey,
} from "../store/lab/node.ts";
import { SettingsEntity } from "../store/project/project-settings.ts";
import { SnapshotEntity, type SnapshotItem, SnapshotNameEntity } from "../store/snapshot/snapshot.ts";
import type { LabCopy } from "./lab-copy.ts";

/**
 * Returns the items of a lab's parts, with the claims of its nodes.
 * @param stampUs time of their creation, which is also their revision: it differs from those of the items that they replace.
 */
export function labItems(projectId: string, copy: LabCopy, stampUs: number): PutChange[] {
  const own = (position: number) => ({
    project_id: projectId,
    revision: stampUs,
    created_us: stampUs + position,
  });
  const wires = wiresOf(copy);
  return [
    ...copy.nodes.flatMap((node, position) => [
      put(NodeEntity, { ...own(position), ...node, links: wires.get(node.node_id) ?? {}, wiring: 0 }),
      ...claimsOf(projectId, node),
    ]),
    ...copy.links.map((link, position) => put(LinkEntity, { ...own(position), ...link })),
    ...copy.drawings.map((drawing, position) => put(DrawingEntity, { ...own(position), ...drawing })),
    ...copy.files.map((file) => put(FileEntity, { project_id: projectId, ...file })),
  ];
}

function claimsOf(
  project_id: string,
  { node_id, name, index, document }: LabCopy["nodes"][number],
): PutChange[] {
  const claimed_console = claimedConsole({ document });
  return [
    put(NodeNameEntity, { project_id, claimed: name, node_id }),
    ...(index === undefined ? [] : [put(NodeIndexEntity, { project_id, claimed_index: index, node_id })]),
    ...(claimed_console === null ? [] : [put(NodeConsoleEntity, { project_id, claimed_console, node_id })]),
  ];
}

/** Returns what is on the ports of each node. */
function wiresOf({ links }: LabCopy): ReadonlyMap<string, NodeItem["links"]> {
  const wires = new Map<string, NodeItem["links"]>();
  for (const { link_id, document } of links) {
    const [first, second] = document.nodes;
    for (const [end, peer] of [
      [first, second],
      [second, first],
    ]) {
      if (end === undefined) continue;
      const leadsTo = peer
        ? { peer_id: peer.node_id, peer_port: portKey(peer.adapter_number, peer.port_number) }
        : {};
      const port = portKey(end.adapter_number, end.port_number);
      wires.set(end.node_id, { ...wires.get(end.node_id), [port]: { link_id, ...leadsTo } });
    }
  }
  return wires;
}

export const settingsItem = (
  project_id: string,
  settings_revision: number,
  document: ProjectSettings,
): PutChange => put(SettingsEntity, { project_id, settings_revision, document });

export const captureItem = (capture: CaptureItem): PutChange => put(CaptureEntity, capture);

export const snapshotItems = (snapshot: SnapshotItem): PutChange[] => {
  const { project_id, snapshot_id, name } = snapshot;
  return [put(SnapshotEntity, snapshot), put(SnapshotNameEntity, { project_id, claimed: name, snapshot_id })];
};
