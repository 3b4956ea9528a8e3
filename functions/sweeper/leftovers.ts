/** Removes packets and pages of captures that are gone or stored as one object: the deletion of these items was interrupted. */
import { logger } from "../shared/edge/log.ts";
import { readWithKept } from "../shared/store/deletion/forget-deletions.ts";
import { listCaptures } from "../shared/store/lab/capture.ts";
import { capturesWithPackets } from "../shared/store/lab/packets.ts";
import { forgetSegments } from "../shared/store/lab/segment.ts";

/** Reads the packets before the captures: a capture exists before its packets. */
export async function removeLeftovers(projectId: string): Promise<void> {
  const found = await capturesWithPackets(projectId);
  if (found.length === 0) return;
  const { found: captures, kept } = await readWithKept(projectId, () => listCaptures(projectId));
  const used = new Set(captures.filter(({ stored }) => !stored).map(({ capture_id }) => capture_id));
  for (const captureId of found) {
    if (used.has(captureId) || kept.captures.has(captureId)) continue;
    await forgetSegments(projectId, captureId);
    logger.info("removed the packets of a capture that is gone", {
      project_id: projectId,
      capture_id: captureId,
    });
  }
}
