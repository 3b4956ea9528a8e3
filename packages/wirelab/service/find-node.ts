/** Finds a node by what a user calls it. */
import { DataError } from "../failure.ts";
import { getJson, type Service } from "./service.ts";

interface NamedNode {
  readonly projectId: string;
  readonly nodeId: string;
  readonly name: string;
}

interface Named {
  readonly name: string;
}
type Project = Named & { readonly project_id: string };
type Node = Named & { readonly node_id: string };

/**
 * @param project, node names or ids.
 * @throws DataError when there is no such project or node, or the service does not answer.
 */
export async function findNode(service: Service, project: string, node: string): Promise<NamedNode> {
  const projects = (await getJson(service, "/projects")) as readonly Project[];
  const { project_id: projectId } = find(projects, project, "project", ({ project_id }) => project_id);
  const nodes = (await getJson(service, `/projects/${projectId}/nodes`)) as readonly Node[];
  const { node_id: nodeId, name } = find(nodes, node, "node", ({ node_id }) => node_id);
  return { projectId, nodeId, name };
}

function find<T extends Named>(
  all: readonly T[],
  wanted: string,
  what: string,
  idOf: (each: T) => string,
): T {
  const found = all.find((each) => idOf(each) === wanted) ?? all.find(({ name }) => name === wanted);
  if (found) return found;
  const names = all.map(({ name }) => name).toSorted();
  throw new DataError(`there is no ${what} ${wanted}; there are: ${names.join(", ") || "none"}`);
}
