/**
 * The states of guests of Linux nodes: `guests/<project>/<node>/<name>`, where the node's item has the name. A run that changes a guest
 * writes a new object before its commit, and deletes the old one after it.
 */
import { discardObjects, putObject, readObject } from "../base/objects.ts";

export interface StoredGuest {
  /** The digest of the image that the state begins with. */
  readonly image: string;
  /** The guest's clock in nanoseconds. */
  readonly nowNs: number;
  readonly difference: Uint8Array;
}

export const guestsPrefix = (projectId: string): string => `guests/${projectId}/`;

const keyOf = (projectId: string, nodeId: string, guest: string): string =>
  `${guestsPrefix(projectId)}${nodeId}/${guest}`;

/** Returns the project, and the name of the state; undefined for a key of another kind of object. */
export function placeOfGuestKey(key: string): { projectId: string; guest: string } | undefined {
  const [, projectId, guest] = /^guests\/([^/]+)\/[^/]+\/([^/]+)$/.exec(key) ?? [];
  return projectId === undefined ? undefined : { projectId, guest: guest! };
}

/** The facts are a line of JSON before the difference. */
const LINE_END = 10;

export async function storeGuest(
  projectId: string,
  nodeId: string,
  guest: string,
  { image, nowNs, difference }: StoredGuest,
): Promise<void> {
  const facts = new TextEncoder().encode(`${JSON.stringify({ image, nowNs })}\n`);
  const bytes = Buffer.concat([facts, difference]);
  await putObject(keyOf(projectId, nodeId, guest), bytes, "application/octet-stream");
}

/** @returns undefined when there is no such state. */
export async function readGuest(
  projectId: string,
  nodeId: string,
  guest: string,
): Promise<StoredGuest | undefined> {
  const bytes = await readObject(keyOf(projectId, nodeId, guest));
  if (bytes === undefined) return undefined;
  const end = bytes.indexOf(LINE_END);
  const facts = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  return { ...facts, difference: bytes.subarray(end + 1) };
}

/** Deletes states that no node has any more. */
export async function discardGuests(
  projectId: string,
  states: readonly { readonly node_id: string; readonly guest: string }[],
): Promise<void> {
  const keys = states.map(({ node_id, guest }) => keyOf(projectId, node_id, guest));
  if (keys.length > 0) await discardObjects(keys);
}
