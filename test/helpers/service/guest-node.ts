/** A Linux node that is on, without a guest: its state in the table and its object in the bucket are as a run leaves them. */
import { UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { addNode, type Lab } from "./lab.ts";

/** Use local stores before the call. */
const modules = async () => ({
  node: await import("../../../functions/shared/store/lab/node.ts"),
  read: await import("../../../functions/shared/store/project/read.ts"),
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
  const { node, guests, objects } = await modules();
  const before = await stateOf({ projectId }, node_id);
  const guest = guests.newGuestName();
  const saved = { image: "d", nowNs: 7, difference: Buffer.from(text) };
  await guests.storeGuest(projectId, node_id, guest, saved);
  const device = { guest, prompt: "# ", inputs: [], outputs: [] };
  await node.NodeEntity.build(UpdateItemCommand)
    .item({ project_id: projectId, node_id, status: "started", state: { device, random: [1, 2, 3, 4] } })
    .send();
  if (before !== undefined) await objects.discardObjects([guests.guestKey(projectId, node_id, before)]);
}

async function stateOf({ projectId }: Pick<Lab, "projectId">, node_id: string): Promise<string | undefined> {
  const { read, access, guests } = await modules();
  const { nodes } = await read.readItems(access.SERVICE, projectId, { nodes: [node_id] });
  return guests.guestOf(nodes.get(node_id)!);
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
