/** Moves placeholders to computes when they are started. */
import { movePlaceholder } from "../compute/move.ts";
import { switchRealNodes } from "../compute/nodes.ts";
import type { Access } from "../edge/access.ts";
import type { NodeItem } from "../store/lab/node.ts";
import { deviceFiles } from "./device-files.ts";

const SCRIPT = "startup.vpc";

/** A PC is made from the script that it starts with here. */
function propertiesFor(node: NodeItem): NodeItem["document"]["properties"] {
  const { node_type, properties } = node.document;
  if (node_type !== "vpcs") return properties;
  const startup_script = deviceFiles(node).get(SCRIPT);
  return startup_script === undefined ? properties : { ...properties, startup_script };
}

/**
 * Moves each placeholder that a compute can run, and starts it there with the nodes that moved with it while they were on. Tries all of them
 * before it throws the first error.
 * @returns whether a compute can run one of them.
 */
export async function moveAndStart(
  access: Access,
  project_id: string,
  placeholders: readonly string[],
): Promise<boolean> {
  const started: string[] = [];
  const errors: unknown[] = [];
  for (const id of placeholders) {
    try {
      started.push(...((await movePlaceholder(access, project_id, id, propertiesFor)) ?? []));
    } catch (error) {
      errors.push(error);
    }
  }
  const nodes = [...new Set(started)].map((node_id) => ({ project_id, node_id }));
  await switchRealNodes(access, nodes, "start").catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
  return nodes.length > 0;
}
