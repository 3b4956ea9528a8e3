/** Closes the consoles of nodes that are no longer on: the change of the node is the only thing that all ways to stop it have in common. */
import { closeConsoles } from "../shared/store/console/close-consoles.ts";
import type { NodeItem } from "../shared/store/lab/node.ts";
import type { Change } from "./change.ts";

export async function closeConsolesOfStopped({ source, before, after }: Change): Promise<void> {
  if (source !== "node") return;
  const [was, is] = [before, after] as [NodeItem | undefined, NodeItem | undefined];
  if (was?.status !== "started" || is?.status === "started") return;
  const { project_id, node_id, name } = was;
  await closeConsoles(project_id, node_id, `Node ${name} is ${is?.status ?? "deleted"}`);
}
