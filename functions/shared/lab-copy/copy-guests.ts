/**
 * The states of guests in copies of a lab. A Linux node that is on has its guest's state in an object, whose name is in the state of the
 * device. A snapshot has a copy of the object among its own; a copy without objects has its Linux nodes switched off.
 */
import { objectSize } from "../store/base/objects.ts";
import { forEachParallel } from "../store/base/parallel.ts";
import { guestKey, guestOf, newGuestName } from "../store/lab/guest-state.ts";
import { copyFiles } from "./copy-files.ts";
import type { CopiedGuest, CopiedNode, LabCopy } from "./lab-copy.ts";

const PARALLEL = 16;

const isGuest = ({ document }: CopiedNode): boolean => document.node_type === "linux";

/** What a Linux node keeps without power: its random numbers go on. */
const withoutPower = ({ guest: _object, ...node }: CopiedNode): CopiedNode => {
  const { device: _device, ...kept } = node.state ?? {};
  return { ...node, status: "stopped", ...(node.state && { state: kept as CopiedNode["state"] }) };
};

const withNodes = (copy: LabCopy, change: (node: CopiedNode) => CopiedNode): LabCopy => ({
  ...copy,
  nodes: copy.nodes.map((node) => (isGuest(node) ? change(node) : node)),
});

/** Switches Linux nodes off, for copies that have no states of guests. */
export const withoutGuests = (copy: LabCopy): LabCopy => withNodes(copy, withoutPower);

export const guestsOf = (copy: LabCopy): CopiedGuest[] => copy.nodes.flatMap(({ guest }) => guest ?? []);

/**
 * Names the objects of the guests that are on in a project.
 * @param copy as it was read there.
 * @returns undefined when a run has replaced one of them since.
 */
export async function withGuestObjects(projectId: string, copy: LabCopy): Promise<LabCopy | undefined> {
  const objects = new Map<string, CopiedGuest>();
  const on = copy.nodes.flatMap((node) => {
    const guest = isGuest(node) && node.status !== "stopped" ? guestOf(node) : undefined;
    return guest === undefined ? [] : [{ id: node.node_id, key: guestKey(projectId, node.node_id, guest) }];
  });
  await forEachParallel(on, PARALLEL, async ({ id, key }) => {
    const size_bytes = await objectSize(key);
    if (size_bytes !== undefined) objects.set(id, { object_key: key, size_bytes });
  });
  if (objects.size < on.length) return undefined;
  return withNodes(copy, (node) => {
    const guest = objects.get(node.node_id);
    return guest === undefined ? withoutPower(node) : { ...node, guest };
  });
}

/**
 * Copies the objects that a copy of a lab names.
 * @param makeKey returns a fresh key for the object of a node.
 * @returns the lab with the keys of the copies, or undefined when an object is gone; then no copy is left.
 */
export async function copyGuests(
  copy: LabCopy,
  makeKey: (node: CopiedNode) => string,
): Promise<LabCopy | undefined> {
  const named = copy.nodes.flatMap((node) => (node.guest ? [{ ...node.guest, node }] : []));
  const copied = await copyFiles(named, ({ node }) => makeKey(node));
  const objects = copied && new Map(copied.map(({ node, ...guest }) => [node.node_id, guest]));
  return objects && withNodes(copy, (node) => ({ ...node, guest: objects.get(node.node_id) }));
}

interface Restored {
  readonly copy: LabCopy;
  readonly keys: readonly string[];
}

/**
 * Copies the states of a snapshot's guests to where its project has those of its nodes.
 * @returns the lab whose nodes have these states, or undefined when an object is gone.
 */
export async function restoreGuests(projectId: string, snapshot: LabCopy): Promise<Restored | undefined> {
  const names = new Map(snapshot.nodes.map(({ node_id }) => [node_id, newGuestName()]));
  const nameOf = ({ node_id }: CopiedNode): string => names.get(node_id)!;
  const copy = await copyGuests(snapshot, (node) => guestKey(projectId, node.node_id, nameOf(node)));
  if (copy === undefined) return undefined;
  const keys = guestsOf(copy).map(({ object_key }) => object_key);
  return {
    keys,
    copy: withNodes(copy, ({ guest, ...node }) => {
      if (guest === undefined) return withoutPower(node);
      const device = { ...(node.state!.device as object), guest: nameOf(node) };
      return { ...node, guest_bytes: guest.size_bytes, state: { ...node.state!, device } };
    }),
  };
}
