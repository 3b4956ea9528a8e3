/** Makes copies of devices with their settings, links and files, and of drawings. */
import { ApiProblem, call, send } from "../api/call.ts";
import type { Drawing, Impairments, Link, Node } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";
import { kindOfNode } from "../lab/node-kind.ts";
import { copiedNode, OFFSET, STARTUP_FILES } from "./copied-node.ts";
import type { Parts } from "./recreate.ts";

export interface Copied extends Parts {
  /** The path of the lab: the files of the devices are read there when the copies are made. */
  readonly path: string;
  /** By link id. */
  readonly impairments: Readonly<Record<string, Impairments>>;
}

interface Made {
  readonly nodes: Node[];
  readonly links: Link[];
  readonly drawings: Drawing[];
}

type CopyingLab = Pick<Lab, "path" | "putNode" | "putLink" | "putDrawing" | "noteImpairments">;

/**
 * Adds to `made` what is made, also when a later part is refused.
 * @returns the names of the devices whose files could not be copied.
 */
export async function makeCopies(lab: CopyingLab, from: Copied, made: Made): Promise<readonly string[]> {
  const ids = new Map<string, string>();
  const lost: string[] = [];
  for (const node of from.nodes) {
    const copy = await call<Node>("POST", `${lab.path}/nodes`, { body: copiedNode(node) });
    ids.set(node.node_id, copy.node_id);
    made.nodes.push(copy);
    lab.putNode(copy);
    if (!(await copyStartup(lab, from.path, node, copy))) lost.push(copy.name);
  }
  for (const { link_id, nodes: ends, filters, suspend, link_style } of from.links) {
    const nodes = ends.map((end) => ({ ...end, node_id: ids.get(end.node_id) }));
    const body = { nodes, filters, suspend, link_style };
    const link = await call<Link>("POST", `${lab.path}/links`, { body });
    made.links.push(link);
    lab.putLink(link);
    const impairments = from.impairments[link_id] ?? {};
    if (Object.keys(impairments).length === 0) continue;
    await call("PUT", `${lab.path}/links/${link.link_id}/impairments`, { body: impairments });
    lab.noteImpairments(link.link_id, impairments);
  }
  for (const { drawing_id, project_id, locked, ...drawing } of from.drawings) {
    const body = { ...drawing, x: drawing.x + OFFSET, y: drawing.y + OFFSET };
    const copy = await call<Drawing>("POST", `${lab.path}/drawings`, { body });
    made.drawings.push(copy);
    lab.putDrawing(copy);
  }
  return lost;
}

/** @returns false if the device has such a file, and it cannot be read. */
async function copyStartup(lab: CopyingLab, path: string, node: Node, copy: Node): Promise<boolean> {
  const file = node.compute_id === "local" ? STARTUP_FILES[kindOfNode(node)?.type ?? ""] : undefined;
  if (file === undefined) return true;
  const text = await textOf(`${path}/nodes/${node.node_id}`, file);
  // A device that has saved nothing starts with its settings, which the copy has.
  if (text !== undefined && text !== node.properties.startup_script)
    await call("POST", `${lab.path}/nodes/${copy.node_id}/files/${file}`, { body: new Blob([text]) });
  return text !== undefined || isThere(path, node);
}

async function textOf(path: string, file: string): Promise<string | undefined> {
  try {
    return await (await send("GET", `${path}/files/${file}`)).text();
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return undefined;
    throw error;
  }
}

/** Whether the original is there: only then has it no file. */
const isThere = (path: string, { node_id }: Node): Promise<boolean> =>
  call("GET", `${path}/nodes/${node_id}`).then(
    () => true,
    () => false,
  );
