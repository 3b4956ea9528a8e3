/** Switches devices on and off, so that it can be undone. */
import type { Node } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";
import { changeParts, noteChange, type PartEdit } from "./change.ts";
import { type PowerAction, setPowerOfAll } from "./power.ts";

const powerEdit = (id: string, value: Node["status"]): PartEdit => ({
  kind: "power",
  id,
  path: ["status"],
  value,
});

/** Starts the devices that are not on, and stops the others. */
export async function switchNodes(lab: Lab, nodes: readonly Node[]): Promise<void> {
  const edits = nodes.map(({ node_id, status }) =>
    powerEdit(node_id, status === "started" ? "stopped" : "started"),
  );
  const [first] = edits;
  if (first === undefined) return;
  const verb = first.value === "started" ? "start" : "stop";
  await changeParts(lab, edits, edits.length === 1 ? `${verb} a device` : `switch ${edits.length} devices`);
}

export async function switchAll(lab: Lab, action: PowerAction): Promise<void> {
  const before = lab.nodes.peek();
  try {
    await setPowerOfAll(lab, action);
  } finally {
    const changed = [...lab.nodes.peek().values()].filter(({ node_id, status }) => {
      const earlier = before.get(node_id)?.status;
      return earlier !== undefined && earlier !== status;
    });
    noteChange(
      lab,
      changed.map(({ node_id }) => powerEdit(node_id, before.get(node_id)!.status)),
      changed.map(({ node_id, status }) => powerEdit(node_id, status)),
      `${action} all devices`,
    );
  }
}
