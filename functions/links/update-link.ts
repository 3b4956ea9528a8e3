import { readSettledLink, tune } from "../shared/compute/links.ts";
import type { Operation } from "../shared/edge/operation.ts";
import type { LinkEnd, LinkUpdate } from "../shared/schemas/link.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import { readItems } from "../shared/store/contents/read.ts";
import { existingLink, type LinkItem, updateLink as storeLink, toLink } from "../shared/store/lab/link.ts";
import { existingNode } from "../shared/store/lab/node.ts";
import { openedProject } from "../shared/store/project/project.ts";
import { normalizeFilters } from "./filters.ts";
import type { group } from "./routes.ts";

export const updateLink: Operation<typeof group.routes.updateLink> = async ({ access, params, body }) => {
  const { project_id, link_id } = params;
  const filters = body.filters && (await normalizeFilters(body.filters));
  const named = (body.nodes ?? []).map((side) => side.node_id);
  const link = await untilFresh(async () => {
    const found = await readItems(access, project_id, { links: [link_id], nodes: named });
    openedProject(found.project, project_id);
    const before = existingLink(found.links.get(link_id), link_id);
    for (const id of named) existingNode(found.nodes.get(id), id);
    const { document } = before;
    const after = {
      filters: filters ?? document.filters,
      link_style: body.link_style ?? document.link_style,
      suspend: body.suspend ?? document.suspend,
      nodes: relabel(document.nodes, body.nodes),
      ...(document.impairments && { impairments: document.impairments }),
    };
    if (before.doing !== undefined) {
      await readSettledLink(access, project_id, link_id);
      return STALE;
    }
    const isTuned = before.tunnel !== undefined && (body.filters ?? body.suspend) !== undefined;
    if (isTuned && tunes(document, after)) return tune(access, before, after);
    return changes(document, after) ? storeLink(before, after) : before;
  });
  return { status: 201, body: toLink(link) };
};

/** Changes labels. Ends cannot move: each entry finds its end by the node, and entries for other nodes are ignored. */
function relabel(ends: readonly LinkEnd[], entries: LinkUpdate["nodes"]): LinkEnd[] {
  const labels = new Map(entries?.flatMap((entry) => (entry.label ? [[entry.node_id, entry.label]] : [])));
  return ends.map((end) => ({ ...end, label: labels.get(end.node_id) ?? end.label }));
}

const tunes = (before: LinkItem["document"], after: LinkItem["document"]): boolean =>
  JSON.stringify([before.filters, before.suspend]) !== JSON.stringify([after.filters, after.suspend]);

const changes = (before: LinkItem["document"], after: LinkItem["document"]): boolean =>
  JSON.stringify([before.nodes, before.filters, before.link_style, before.suspend]) !==
  JSON.stringify([after.nodes, after.filters, after.link_style, after.suspend]);
