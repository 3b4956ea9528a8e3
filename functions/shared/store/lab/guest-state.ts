/**
 * The states of guests of Linux nodes: `guests/<project>/<node>/<name>`, where the node's item has the name. A run that changes a guest
 * writes a new object before its commit, and deletes the old one after it. No two writes have one name, so a deletion that comes late
 * deletes nothing that is needed. Snapshots have copies of their own (lab-copy/copy-guests.ts).
 */
import { putObject, readObject } from "../base/objects.ts";

export interface StoredGuest {
  /** The digest of the image that the state begins with. */
  readonly image: string;
  /** The guest's clock in nanoseconds. */
  readonly nowNs: number;
  readonly difference: Uint8Array;
}

export const guestsPrefix = (projectId: string): string => `guests/${projectId}/`;

export const newGuestName = (): string => crypto.randomUUID();

/** Returns the name of the state that a node's item has, also after the node was stopped by the close of its project. */
export const guestOf = ({ state }: { readonly state?: { readonly device?: unknown } | undefined }) =>
  (state?.device as { readonly guest?: string } | undefined)?.guest;

export const guestKey = (projectId: string, nodeId: string, guest: string): string =>
  `${guestsPrefix(projectId)}${nodeId}/${guest}`;

/** Returns the project, and the name of the state; undefined for a key of another kind of object. */
export function placeOfGuestKey(key: string): { projectId: string; guest: string } | undefined {
  const [, projectId, guest] = /^guests\/([^/]+)\/[^/]+\/([^/]+)$/.exec(key) ?? [];
  return projectId === undefined ? undefined : { projectId, guest: guest! };
}

/** The facts are a line of JSON before the difference. */
const LINE_END = 10;

/** @returns the size of the object in bytes. */
export async function storeGuest(
  projectId: string,
  nodeId: string,
  guest: string,
  { image, nowNs, difference }: StoredGuest,
): Promise<number> {
  const facts = new TextEncoder().encode(`${JSON.stringify({ image, nowNs })}\n`);
  const bytes = Buffer.concat([facts, difference]);
  await putObject(guestKey(projectId, nodeId, guest), bytes, "application/octet-stream");
  return bytes.length;
}

interface NodeWithGuest {
  readonly project_id: string;
  readonly node_id: string;
  readonly state?: { readonly device?: unknown } | undefined;
}

/** Returns the keys of the states that the nodes' items have. */
export const guestKeysOf = (nodes: readonly NodeWithGuest[]): string[] =>
  nodes.flatMap((node) => {
    const guest = guestOf(node);
    return guest === undefined ? [] : [guestKey(node.project_id, node.node_id, guest)];
  });

/** @returns undefined when there is no such state. */
export async function readGuest(
  projectId: string,
  nodeId: string,
  guest: string,
): Promise<StoredGuest | undefined> {
  const bytes = await readObject(guestKey(projectId, nodeId, guest));
  if (bytes === undefined) return undefined;
  const end = bytes.indexOf(LINE_END);
  const facts = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  return { ...facts, difference: bytes.subarray(end + 1) };
}
