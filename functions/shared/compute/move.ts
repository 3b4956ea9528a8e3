/**
 * Moves placeholders to registered computes that have their emulators, with what is linked to them.
 *
 *     note the move in all nodes        if another request changes one of them, begin again
 *     call the computes                 files, nodes, links
 *     store the outcomes                if a compute refuses, all nodes are as before
 *
 * A function that dies leaves notes; the next request that acts on such a node, or the sweeper, puts the node back.
 */
import type { Access } from "../edge/access.ts";
import { failure } from "../edge/errors.ts";
import { isPlaceholder } from "../schemas/node.ts";
import { nextIouNumber } from "../store/base/iou-number.ts";
import { forEachParallel } from "../store/base/parallel.ts";
import { STALE, untilFresh } from "../store/base/transact.ts";
import { readItems } from "../store/contents/read.ts";
import { type Contents, readContents } from "../store/contents/read-contents.ts";
import { readFile } from "../store/file/project-file.ts";
import type { LinkItem } from "../store/lab/link.ts";
import { beginMoves, endMoves, storeTunnel } from "../store/lab/move-node.ts";
import { existingNode, isOnCompute, type NodeItem } from "../store/lab/node.ts";
import { openedProject } from "../store/project/project.ts";
import { callCompute } from "./call.ts";
import { type Emulators, placesFor, readEmulators } from "./choose.ts";
import { peerOfNode } from "./find.ts";
import { type MovePlan, planMove } from "./move-plan.ts";
import { projectPath } from "./paths.ts";
import { putBack } from "./put-back.ts";
import { merged, statusIn } from "./settings.ts";
import { createProject, createThere, isCode } from "./there.ts";
import { connectThere } from "./tunnel.ts";

type Properties = NodeItem["document"]["properties"];

/** Returns what a compute makes a node from: its properties, and for a PC its saved script. */
export type PropertiesFor = (node: NodeItem) => Properties;

/** As GNS3: a compute starts few nodes at once. */
const PARALLEL = 3;

/**
 * @returns the ids of the nodes that are to run now: the placeholder, and nodes that moved with it while they were started; undefined when
 *   no compute has its emulator.
 * @throws ApiError `node.cannot-move`, or an error of a compute. All nodes are then as before.
 */
export async function movePlaceholder(
  access: Access,
  projectId: string,
  nodeId: string,
  propertiesFor: PropertiesFor,
): Promise<readonly string[] | undefined> {
  const computes = await readEmulators();
  /** What lacks an image: node and compute. */
  const lacking = new Set<string>();
  const pair = ({ node_id }: NodeItem, { computeId }: Emulators) => `${node_id} ${computeId}`;
  const suits = (node: NodeItem, each: Emulators): boolean =>
    each.types.has(node.document.node_type) && !lacking.has(pair(node, each));
  const runs = (node: NodeItem): boolean => computes.some((each) => suits(node, each));
  for (let first: unknown; ; ) {
    const moved = await untilFresh(async () => {
      const contents = await readContents(access, projectId);
      openedProject(contents.project, projectId);
      const node = existingNode(
        contents.nodes.find(({ node_id }) => node_id === nodeId),
        nodeId,
      );
      // Another request has moved it.
      if (isOnCompute(node)) return { begun: [node], failed: undefined };
      if (!isPlaceholder(node.document.node_type) || !runs(node)) {
        if (first !== undefined) throw first;
        return undefined;
      }
      const plan = planMove(node, contents, runs);
      const places = placesFor(plan.nodes, computes, suits);
      const moves = await Promise.all(
        [...places].map(async ([each, computeId]) => ({
          node: each,
          computeId,
          properties: await withNumber(each, computeId, propertiesFor(each)),
        })),
      );
      const begun = await beginMoves(moves);
      if (begun === STALE) return STALE;
      return { begun, ...(await carryOut(access, begun, plan, contents)) };
    });
    if (moved === undefined) return undefined;
    if (moved.failed === undefined) {
      const wasOn = ({ node_id, status }: NodeItem) => node_id === nodeId || status === "started";
      return moved.begun.filter(wasOn).map(({ node_id }) => node_id);
    }
    const { node, error } = moved.failed;
    if (node === undefined || !isCode(error, "compute.image-missing")) throw error;
    first ??= error;
    lacking.add(`${node.node_id} ${node.document.compute_id}`);
  }
}

const withNumber = async (
  { document: { node_type } }: NodeItem,
  computeId: string,
  properties: Properties,
): Promise<Properties> =>
  node_type !== "iou" || typeof properties.application_id === "number"
    ? properties
    : { ...properties, application_id: await nextIouNumber(computeId) };

interface Outcome {
  /** The error after which all nodes are as before, and the node whose creation was refused. */
  readonly failed: { readonly error: unknown; readonly node: NodeItem | undefined } | undefined;
}

async function carryOut(
  access: Access,
  begun: readonly NodeItem[],
  plan: MovePlan,
  contents: Contents,
): Promise<Outcome> {
  const answers = new Map<string, NodeItem>();
  const refused: NodeItem[] = [];
  try {
    await forEachParallel(begun, PARALLEL, async (node) => {
      try {
        answers.set(node.node_id, await create(node, contents));
      } catch (error) {
        refused.push(node);
        throw error;
      }
    });
    for (const { link_id, project_id } of plan.links) await connect(access, project_id, link_id, answers);
    if (!(await endMoves(begun.map(({ node_id }) => answers.get(node_id)!)))) throw failure("store.busy");
  } catch (error) {
    for (const node of begun) await putBack(access, node);
    return { failed: { error, node: refused[0] } };
  }
  return { failed: undefined };
}

/** Creates a node with its files. @returns the node as its compute has it. */
async function create(node: NodeItem, { files }: Contents): Promise<NodeItem> {
  const peer = await peerOfNode(node);
  const { project_id, node_id, document } = node;
  const folder = `project-files/${document.node_type}/${node_id}/`;
  const own = files.filter(({ file_path }) => file_path.startsWith(folder));
  if (own.length > 0) await createProject(peer, project_id);
  for (const { file_path } of own) {
    const path = file_path.split("/").map(encodeURIComponent).join("/");
    const body = (await readFile(project_id, file_path))?.bytes;
    // A file that was deleted meanwhile.
    if (body === undefined) continue;
    await callCompute(peer, { method: "POST", path: `${projectPath(project_id)}/files/${path}`, body });
  }
  const answer = await createThere(peer, node);
  return { ...node, document: merged(node, answer, peer.host), status: statusIn(answer) ?? "stopped" };
}

/** Connects a link and stores its tunnel; repeats both when another request changes the link. */
async function connect(
  access: Access,
  projectId: string,
  linkId: string,
  moved: ReadonlyMap<string, NodeItem>,
): Promise<void> {
  await untilFresh(async () => {
    const link = (await readItems(access, projectId, { links: [linkId] })).links.get(linkId);
    // A link that was deleted meanwhile, or that another move has connected.
    if (link === undefined || link.tunnel !== undefined) return true;
    const tunnel = await connectThere(await endsOf(access, link, moved), link.document, async (end) => {
      await createThere(end.peer, end.node);
    });
    return (await storeTunnel(link, tunnel)) || STALE;
  });
}

async function endsOf(access: Access, link: LinkItem, moved: ReadonlyMap<string, NodeItem>) {
  const [a, b] = link.document.nodes;
  const ids = [a!.node_id, b!.node_id];
  const { nodes } = await readItems(access, link.project_id, { nodes: ids });
  const endAt = async (side: NonNullable<typeof a>) => {
    const node = moved.get(side.node_id) ?? existingNode(nodes.get(side.node_id), side.node_id);
    return { node, side, peer: await peerOfNode(node) };
  };
  return [await endAt(a!), await endAt(b!)] as const;
}
