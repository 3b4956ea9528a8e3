/** Paths of a compute's side of the interface, below `/v2/compute`. */
import type { NodeItem } from "../store/lab/node.ts";

export const projectPath = (projectId: string): string => `/projects/${projectId}`;

export const nodesPath = ({ project_id, document }: NodeItem): string =>
  `${projectPath(project_id)}/${document.node_type}/nodes`;

export const nodePath = (node: NodeItem): string => `${nodesPath(node)}/${node.node_id}`;

/** A file in a capture folder of the project, which GNS3 has for all its nodes. */
export const capturePath = (projectId: string, fileName: string): string =>
  `${projectPath(projectId)}/files/project-files/captures/${fileName}`;

interface Place {
  readonly adapter_number: number;
  readonly port_number: number;
}

export const portPath = (node: NodeItem, { adapter_number, port_number }: Place): string =>
  `${nodePath(node)}/adapters/${adapter_number}/ports/${port_number}`;
