/** Switches devices on and off, so that it can be undone. */
import { call } from "../api/call.ts";
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

const VERBS = { started: "start", stopped: "stop", suspended: "suspend" } as const;

/** Gives devices this status. */
export async function setPower(lab: Lab, nodes: readonly Node[], status: Node["status"]): Promise<void> {
  const edits = nodes
    .filter((node) => node.status !== status)
    .map(({ node_id }) => powerEdit(node_id, status));
  const what = edits.length === 1 ? "a device" : `${edits.length} devices`;
  if (edits.length > 0) await changeParts(lab, edits, `${VERBS[status]} ${what}`);
}

/** Stops devices that are on, and starts them at once. Their power is as before, so there is nothing to undo. */
export async function restart(lab: Lab, nodes: readonly Node[]): Promise<void> {
  for (const { node_id } of nodes) await call("POST", `${lab.path}/nodes/${node_id}/reload`, { body: {} });
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
