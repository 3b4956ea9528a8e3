/** A Linux node that is on, without a guest: its state in the table and its object in the bucket are as a run leaves them. */
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { addNode, type Lab } from "./lab.ts";

/** Use local stores before the call. */
const modules = async () => ({
  node: await import("../../../functions/shared/store/lab/node.ts"),
  read: await import("../../../functions/shared/store/contents/read.ts"),
  project: await import("../../../functions/shared/store/project/project.ts"),
  transact: await import("../../../functions/shared/store/base/transact.ts"),
  access: await import("../../../functions/shared/edge/access.ts"),
  guests: await import("../../../functions/shared/store/lab/guest-state.ts"),
  objects: await import("../../../functions/shared/store/base/objects.ts"),
});

/** @returns the node's id. */
export async function addGuest(lab: Lab, name: string, text: string): Promise<string> {
  const node_id = await addNode(lab, { name, node_type: "linux", properties: { image: "absent" } });
  await setGuest(lab, node_id, text);
  return node_id;
}

/** Replaces the state, as a run does. */
export async function setGuest({ projectId }: Lab, node_id: string, text: string): Promise<void> {
  const { node, guests, objects, read, access, project, transact } = await modules();
  const { nodes } = await read.readItems(access.SERVICE, projectId, { nodes: [node_id] });
  const item = nodes.get(node_id)!;
  const before = guests.guestOf(item);
  const guest = guests.newGuestName();
  const saved = { image: "d", nowNs: 7, difference: Buffer.from(text) };
  const guest_bytes = await guests.storeGuest(projectId, node_id, guest, saved);
  const device = { guest, prompt: "# ", inputs: [], outputs: [] };
  const state = { device, random: [1, 2, 3, 4] as const };
  const written = await transact.holdsAll([
    node.NodeEntity.build(UpdateTransaction).item({
      project_id: projectId,
      node_id,
      status: "started",
      state,
      guest_bytes,
    }),
    project.discount(projectId, { stored_bytes: (item.guest_bytes ?? 0) - guest_bytes }),
  ]);
  if (!written) throw new Error("The project has a pending commit");
  if (before !== undefined) await objects.discardObjects([guests.guestKey(projectId, node_id, before)]);
}

/** @returns the text of the state; undefined when the node is off. @throws Error when its object is missing. */
export async function textOfGuest(lab: Lab, node_id: string): Promise<string | undefined> {
  const { guests, read, access } = await modules();
  const { nodes } = await read.readItems(access.SERVICE, lab.projectId, { nodes: [node_id] });
  const node = nodes.get(node_id)!;
  const guest = guests.guestOf(node);
  if (node.status === "stopped" || guest === undefined) return undefined;
  const stored = await guests.readGuest(lab.projectId, node_id, guest);
  if (stored === undefined) throw new Error(`The state ${guest} of ${node.name} is missing`);
  return Buffer.from(stored.difference).toString();
}
