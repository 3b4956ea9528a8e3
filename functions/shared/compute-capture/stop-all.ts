/** The captures of a project that is closed. */
import { stopThere } from "../compute/captures.ts";
import { isCode } from "../compute/there.ts";
import type { Access } from "../edge/access.ts";
import { logger } from "../edge/log.ts";
import type { LinkItem } from "../store/lab/link.ts";
import { fetchCaptures } from "./fetch-captures.ts";

/**
 * Stops captures on computes, before their project is closed there, and fetches them.
 * @param links those with running captures on computes.
 * @throws ApiError of a compute that is away; then its captures go on.
 */
export async function stopAllThere(access: Access, links: readonly LinkItem[]): Promise<void> {
  for (const { project_id, link_id } of links) {
    await stopThere(access, project_id, link_id).catch((error: unknown) => {
      // Another request has deleted the link or closed the project.
      if (!isCode(error, "link.not-found", "project.not-opened")) throw error;
    });
    await fetchCaptures(access, project_id, link_id).catch((error: unknown) => {
      logger.warn("A stopped capture is left on its compute", { project_id, link_id, error: error as Error });
    });
  }
}
