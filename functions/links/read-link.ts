/** Reads links. */
import type { Access } from "../shared/edge/access.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { readItems, readTopology } from "../shared/store/contents/read.ts";
import { existingLink, type LinkItem, toLink, toLinkImpairments } from "../shared/store/lab/link.ts";
import { existingProject, openedProject, type ProjectItem } from "../shared/store/project/project.ts";
import type { group } from "./routes.ts";

/** @throws ApiError when the project or the link does not exist, or the project is closed. */
export async function readLink(access: Access, projectId: string, linkId: string): Promise<LinkItem> {
  return (await readLinkInProject(access, projectId, linkId)).link;
}

/** Like `readLink`, but also returns the project. */
export async function readLinkInProject(
  access: Access,
  projectId: string,
  linkId: string,
): Promise<{ project: ProjectItem; link: LinkItem }> {
  const found = await readItems(access, projectId, { links: [linkId] });
  const project = openedProject(found.project, projectId);
  return { project, link: existingLink(found.links.get(linkId), linkId) };
}

export const listLinks: Operation<typeof group.routes.listLinks> = async ({
  access,
  params: { project_id },
}) => {
  const { project, links } = await readTopology(access, project_id, "links");
  existingProject(project, project_id);
  return { status: 200, body: links.map(toLink) };
};

export const listImpairments: Operation<typeof group.routes.listImpairments> = async ({
  access,
  params: { project_id },
}) => {
  const { project, links } = await readTopology(access, project_id, "links");
  existingProject(project, project_id);
  const impaired = links.filter(({ document }) => document.impairments !== undefined);
  return { status: 200, body: impaired.map(toLinkImpairments) };
};

export const getLink: Operation<typeof group.routes.getLink> = async ({ access, params }) => ({
  status: 200,
  body: toLink(await readLink(access, params.project_id, params.link_id)),
});
