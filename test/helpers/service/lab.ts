/** Builds labs over HTTP, as the set-up of tests. */

import { localStack } from "../stack/this-stack.ts";
import { Client } from "./client.ts";

export const client = new Client(localStack().baseUrl);

let counter = 0;
/** Returns a name that is unique in this test run. */
export const freshName = (stem = "lab"): string =>
  `${stem}-${process.pid}-${Date.now().toString(36)}-${counter++}`;

export interface Lab {
  readonly projectId: string;
  /** Path of the project. */
  readonly path: string;
}

export async function makeLab(fields: Record<string, unknown> = {}): Promise<Lab> {
  const { json } = await client.post("/projects", { name: freshName(), ...fields });
  return { projectId: json.project_id, path: `/projects/${json.project_id}` };
}

export async function addNode(lab: Lab, fields: Record<string, unknown> = {}): Promise<string> {
  const body = { name: "PC1", node_type: "vpcs", compute_id: "local", ...fields };
  const answer = await client.post(`${lab.path}/nodes`, body);
  if (answer.status !== 201) throw new Error(`The node was not made: ${answer.bytes}`);
  return answer.json.node_id;
}

/** One end of a link. */
export const end = (node_id: string, port_number = 0) => ({ node_id, adapter_number: 0, port_number });

export async function addLink(
  lab: Lab,
  ends: unknown[],
  fields: Record<string, unknown> = {},
): Promise<string> {
  const answer = await client.post(`${lab.path}/links`, { nodes: ends, ...fields });
  if (answer.status !== 201) throw new Error(`The link was not made: ${answer.bytes}`);
  return answer.json.link_id;
}

export interface Pair extends Lab {
  readonly first: string;
  readonly second: string;
  readonly linkId: string;
  /** Path of the link. */
  readonly link: string;
}

/** Two PCs and a link. */
export async function makePair(fields: Record<string, unknown> = {}): Promise<Pair> {
  const lab = await makeLab();
  const first = await addNode(lab);
  const second = await addNode(lab);
  const linkId = await addLink(lab, [end(first), end(second)], fields);
  return { ...lab, first, second, linkId, link: `${lab.path}/links/${linkId}` };
}

export const uuid = (): string => crypto.randomUUID();
