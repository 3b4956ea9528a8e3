/** Paths of a compute's side of the interface, below `/v2/compute`. */
import type { NodeItem } from "../store/lab/node.ts";

export const projectPath = (projectId: string): string => `/projects/${projectId}`;

export const nodesPath = ({ project_id, document }: NodeItem): string =>
  `${projectPath(project_id)}/${document.node_type}/nodes`;

export const nodePath = (node: NodeItem): string => `${nodesPath(node)}/${node.node_id}`;

/** The name of a capture's file on its compute: no other capture has it, and would overwrite the file. */
export const captureFile = (captureId: string): string => `${captureId}.pcap`;

/** GNS3 has one folder of captures in a project. */
export const capturePath = (projectId: string, captureId: string): string =>
  `${projectPath(projectId)}/files/project-files/captures/${captureFile(captureId)}`;

interface Place {
  readonly adapter_number: number;
  readonly port_number: number;
}

export const portPath = (node: NodeItem, { adapter_number, port_number }: Place): string =>
  `${nodePath(node)}/adapters/${adapter_number}/ports/${port_number}`;
