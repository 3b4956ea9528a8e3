/** Moves nodes. */
import { batch } from "@preact/signals";
import { ApiProblem, call } from "../api/call.ts";
import type { Node } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";
import { notify } from "../ui/notices.tsx";
import { type Place, PlaceSender } from "./place-sender.ts";

type Places = ReadonlyMap<string, Place>;

const senders = new WeakMap<Lab, PlaceSender>();

function senderOf(lab: Lab): PlaceSender {
  const sender =
    senders.get(lab) ??
    new PlaceSender(async (id, { x, y }) => {
      if (!lab.nodes.peek().has(id)) return;
      const node = await call<Node>("PUT", `${lab.path}/nodes/${id}`, { body: { x, y } });
      if (!sender.isWaiting(id)) lab.putOwnPlace(node);
    });
  senders.set(lab, sender);
  return sender;
}

const placesOf = (lab: Lab, ids: Iterable<string>): Places =>
  new Map(
    [...ids].flatMap((id) => {
      const node = lab.nodes.peek().get(id);
      return node === undefined ? [] : [[id, { x: node.x, y: node.y }] as const];
    }),
  );

/** Shows nodes at their places at once, also while requests are under way. */
const show = (lab: Lab, places: Places): void =>
  batch(() => {
    for (const [id, place] of places) {
      const node = lab.nodes.peek().get(id);
      if (node !== undefined) lab.putOwnPlace({ ...node, ...place });
    }
  });

/**
 * Places nodes. Those whose request fails go back to where they were, and one notice reports all of them.
 * @returns the nodes that were placed.
 */
async function place(lab: Lab, places: Places): Promise<Places> {
  const before = placesOf(lab, places.keys());
  show(lab, places);
  const sender = senderOf(lab);
  const failed = new Map<string, unknown>();
  await Promise.all(
    [...places].map(([id, at]) => sender.send(id, at).catch((error) => void failed.set(id, error))),
  );
  // Another client has deleted these: there is nothing to report.
  for (const [id, error] of failed) if (error instanceof ApiProblem && error.status === 404) lab.remove(id);
  const isBack = [...failed.keys()].filter((id) => lab.nodes.peek().has(id));
  show(lab, new Map(isBack.flatMap((id) => (sender.isWaiting(id) ? [] : [[id, before.get(id)!] as const]))));
  if (isBack.length > 0) notify(failureWords(isBack.length, places.size, failed.get(isBack[0]!)), true);
  return new Map([...places].filter(([id]) => !failed.has(id)));
}

function failureWords(failed: number, all: number, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return all === 1
    ? `The device could not be moved: ${reason}`
    : `${failed} of ${all} devices could not be moved: ${reason}`;
}

/** @param places the new upper left corners, by node id. */
export async function moveNodes(lab: Lab, places: Places): Promise<void> {
  const before = placesOf(lab, places.keys());
  const moved = await place(lab, places);
  if (moved.size === 0) return;
  const back = new Map([...before].filter(([id]) => moved.has(id)));
  const name = moved.size === 1 ? "move a device" : `move ${moved.size} devices`;
  lab.history.note({ name, undo: () => place(lab, back), redo: () => place(lab, moved) });
}
