/**
 * Reads nodes of registered computes for watching them. A commit that is pending in the project needs not be made first: it changes no
 * node's compute.
 */
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { projectKey, table } from "../base/table.ts";
import { isOnCompute, NodeEntity, type NodeItem } from "./node.ts";

/** Returns the ids of the registered computes that the project's nodes are on. */
export async function listComputesOf(projectId: string): Promise<ReadonlySet<string>> {
  return new Set((await listRealNodes(projectId)).map(({ document }) => document.compute_id));
}

/** Returns the project's nodes that are on a registered compute. */
export async function listRealNodes(projectId: string): Promise<NodeItem[]> {
  const { Items = [] } = await table
    .build(QueryCommand)
    .query({ partition: projectKey(projectId), range: { beginsWith: "NODE#" } })
    .entities(NodeEntity)
    .options({ maxPages: Number.POSITIVE_INFINITY })
    .send();
  return Items.filter(isOnCompute);
}

export async function getNode(project_id: string, node_id: string): Promise<NodeItem | undefined> {
  const key = { project_id, node_id };
  const { Item } = await NodeEntity.build(GetItemCommand).key(key).options({ consistent: true }).send();
  return Item;
}
