import { failure, failureOf } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { DELETION_ERRORS } from "../shared/edge/own-errors/deletion.ts";
import { discardObjects } from "../shared/store/base/objects.ts";
import { nowUs } from "../shared/store/base/table.ts";
import { STALE, transact, untilFresh } from "../shared/store/base/transact.ts";
import { type Contents, readContents } from "../shared/store/contents/read-contents.ts";
import {
  countInProject,
  type DeletedParts,
  existingDeletion,
  forgetDeletion,
  getDeletion,
  readParts,
} from "../shared/store/deletion/deletion.ts";
import { outerWires, restoringParts, type Wires } from "../shared/store/deletion/steps.ts";
import { carriedOut } from "../shared/store/idempotency/idempotency.ts";
import { toDrawing } from "../shared/store/lab/drawing.ts";
import { toLink } from "../shared/store/lab/link.ts";
import { claimedConsole, type NodeItem, portKey, toNode } from "../shared/store/lab/node.ts";
import { refuseOverQuota } from "../shared/store/limits/quota.ts";
import { openedProject, type ProjectItem } from "../shared/store/project/project.ts";
import type { group } from "./routes.ts";

export const undoDeletion: Operation<typeof group.routes.undoDeletion> = async ({
  access,
  params: { project_id, deletion_id },
  receipt,
  origin,
}) => {
  const parts = await untilFresh(async () => {
    // Also decides whether the caller may see the deletion.
    const contents = await readContents(access, project_id);
    const project = openedProject(contents.project, project_id);
    const deletion = existingDeletion(await getDeletion(project_id, deletion_id), deletion_id);
    const stored = await readParts(deletion);
    if (stored === undefined) return STALE;
    const parts = asNew(project, stored);
    const wires = outerWires(parts);
    const reason = whatIsInTheWay(contents, parts, wires);
    if (reason !== undefined) throw failureOf(DELETION_ERRORS, "deletion.in-the-way", { reason });
    const counts = {
      node_count: parts.nodes.length,
      link_count: parts.links.length,
      drawing_count: parts.drawings.length,
      capture_count: parts.captures.length,
    };
    refuseOverQuota(project, counts);
    const peers = new Map(contents.nodes.map((node) => [node.node_id, node]));
    const refused = await transact({
      project: countInProject(project_id, -1, { ...counts, stored_bytes: -deletion.size_bytes }),
      deletion: forgetDeletion(deletion),
      parts: restoringParts(parts, wires, peers),
      receipt: carriedOut(receipt),
    });
    if (refused.has("receipt")) throw failure("idempotency.in-progress");
    if (refused.size > 0) return STALE;
    await discardObjects([deletion.object_key]);
    return parts;
  });
  return {
    status: 201,
    body: {
      nodes: parts.nodes.map((node) => toNode(node, origin.host)),
      links: parts.links.map(toLink),
      drawings: parts.drawings.map(toDrawing),
    },
  };
};

/** Gives the parts a revision that no request has read, and states that are newer than those that large runs have left. */
function asNew({ run = 0, states }: ProjectItem, parts: DeletedParts): DeletedParts {
  const revision = nowUs();
  return {
    ...parts,
    nodes: parts.nodes.map((node) => ({ ...node, revision, ...(states && { state_run: run }) })),
    links: parts.links.map((link) => ({ ...link, revision })),
    drawings: parts.drawings.map((drawing) => ({ ...drawing, revision })),
  };
}

/** Returns what keeps the parts from being as they were, in words; undefined if nothing does. */
function whatIsInTheWay(
  { nodes, links, drawings }: Contents,
  parts: DeletedParts,
  wires: Wires,
): string | undefined {
  for (const node of parts.nodes) {
    const reason = nodes.map((other) => clashOf(node, other)).find((each) => each !== undefined);
    if (reason !== undefined) return reason;
  }
  const [linkIds, drawingIds] = [
    new Set(links.map(({ link_id }) => link_id)),
    new Set(drawings.map(({ drawing_id }) => drawing_id)),
  ];
  const link = parts.links.find(({ link_id }) => linkIds.has(link_id));
  if (link) return `link ID ${link.link_id} exists again`;
  const drawing = parts.drawings.find(({ drawing_id }) => drawingIds.has(drawing_id));
  if (drawing) return `drawing ID ${drawing.drawing_id} exists again`;
  for (const [id, own] of wires) {
    const peer = nodes.find(({ node_id }) => node_id === id);
    if (peer === undefined) return `node ID ${id}, to which a link leads, was deleted`;
    for (const port of own.keys()) {
      const found = peer.document.ports.find(
        (each) => portKey(each.adapter_number, each.port_number) === port,
      );
      if (found === undefined)
        return `${peer.name} does not have the port ${port.replace("_", "/")} any more`;
      if (peer.links[port] !== undefined) return `port ${found.name} of ${peer.name} has another link`;
    }
  }
  return undefined;
}

function clashOf(node: NodeItem, other: NodeItem): string | undefined {
  if (other.node_id === node.node_id) return `node ID ${node.node_id} exists again`;
  if (other.name === node.name) return `another node has the name ${node.name}; rename it first`;
  if (node.index !== undefined && other.index === node.index)
    return `${other.name} has got the MAC addresses of ${node.name}; delete it first`;
  const console = claimedConsole(node);
  if (console !== null && claimedConsole(other) === console)
    return `${other.name} has got the console ${console} of ${node.name}; change it first`;
  return undefined;
}
