/** Moves nodes. */
import { batch } from "@preact/signals";
import { call } from "../api/call.ts";
import type { Node } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";

type Places = ReadonlyMap<string, { readonly x: number; readonly y: number }>;

/** At most as many requests at once as browsers send over HTTP/1.1. */
const AT_ONCE = 6;

async function place(lab: Lab, places: Places): Promise<void> {
  batch(() => {
    for (const [id, position] of places) {
      const node = lab.nodes.peek().get(id);
      if (node !== undefined) lab.putNode({ ...node, ...position });
    }
  });
  const rest = [...places];
  const worker = async () => {
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      const [id, position] = next;
      if (lab.nodes.peek().has(id))
        lab.putNode(await call<Node>("PUT", `${lab.path}/nodes/${id}`, { body: position }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** @param places the new upper left corners, by node id. */
export async function moveNodes(lab: Lab, places: Places): Promise<void> {
  const before = new Map(
    [...places.keys()].flatMap((id) => {
      const node = lab.nodes.peek().get(id);
      return node === undefined ? [] : [[id, { x: node.x, y: node.y }] as const];
    }),
  );
  await place(lab, places);
  const name = places.size === 1 ? "move a device" : `move ${places.size} devices`;
  lab.history.note({ name, undo: () => place(lab, before), redo: () => place(lab, places) });
}
