/**
 * Captures that a compute records.
 *
 *     start    link.capture set, capture item written, `doing` noted       one transaction, then the compute is called
 *     stop     `doing` noted; the compute is called; link.capture removed  as for other captures
 *     fetch    one object from the compute's file; capture marked stored   S3, then one transaction
 *
 * The compute's file is named after the capture's id, so that no later capture overwrites it. It is there until the compute's project is
 * deleted, so each step can be repeated.
 */
import type { Readable } from "node:stream";
import { DeleteTransaction } from "dynamodb-toolbox/entity/actions/transactDelete";
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $add, $remove } from "dynamodb-toolbox/entity/actions/update";
import { PCAP_CONTENT_TYPE } from "../../schemas/capture-file.ts";
import { discardObjects, uploadObject } from "../base/objects.ts";
import { holdsAll, STALE, untilFresh } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { refuseOverQuota } from "../limits/quota.ts";
import { addWhileThere, discount, type ProjectItem } from "../project/project.ts";
import { withRoomFor } from "../project/stored-bytes.ts";
import { CaptureEntity, type CaptureItem, getCapture } from "./capture.ts";
import { captureKey } from "./capture-objects.ts";
import { ended } from "./doing.ts";
import { LinkEntity, type LinkItem } from "./link.ts";

/** A capture whose packets only its compute has. */
export const isThere = ({ at, stored }: Pick<CaptureItem, "at" | "stored">): boolean =>
  at !== undefined && stored !== true;

/** Removes a capture that its compute has not started. @returns false when another request has taken over what is being done. */
export function removeUnstarted({ project_id, link_id, capture, doing }: LinkItem): Promise<boolean> {
  return holdsAll([
    LinkEntity.build(UpdateTransaction)
      .item({ project_id, link_id, capture: $remove(), ...ended, revision: $add(1) })
      .options(when(LinkEntity, { "doing.id": doing?.id, "capture.capture_id": capture?.capture_id })),
    CaptureEntity.build(DeleteTransaction)
      .key({ project_id, link_id, capture_id: capture!.capture_id })
      .options(when(CaptureEntity, { attr: "capture_id", exists: true })),
    discount(project_id, { capture_count: 1 }),
  ]);
}

/** What a capture's file has, without the file header. */
export interface Fetched {
  readonly packets: number;
  readonly bytes: number;
  readonly limit_reached: boolean;
}

/**
 * Stores the file of a stopped capture, unless another request does so meanwhile.
 * @param count is called when the body has ended.
 * @throws ApiError `quota.stored-bytes`, `quota.user-stored-bytes`, or the error of the body; then only the compute has the file.
 */
export async function storeFetched(
  capture: CaptureItem,
  body: Readable,
  count: () => Fetched,
  readProject: () => Promise<ProjectItem>,
): Promise<void> {
  const { project_id, capture_id, file_name } = capture;
  const key = captureKey(project_id, capture_id, file_name);
  await uploadObject(key, body, PCAP_CONTENT_TYPE);
  try {
    await untilFresh(async () => {
      if (await markFetched(await readProject(), capture, count())) return true;
      const now = await getCapture(capture);
      return now !== undefined && !now.stored ? STALE : true;
    });
  } finally {
    // Nothing refers to the object of a capture that was deleted, or for which there was no room.
    if (!(await getCapture(capture))?.stored) await discardObjects([key]);
  }
}

/** @returns false when the capture is stored or gone, or the project changed since it was read. */
function markFetched(project: ProjectItem, capture: CaptureItem, counts: Fetched): Promise<boolean> {
  const { project_id, link_id, capture_id } = capture;
  const added = { stored_bytes: counts.bytes };
  refuseOverQuota(project, added);
  return withRoomFor(counts.bytes, project.owner, () =>
    holdsAll([
      CaptureEntity.build(UpdateTransaction)
        .item({ project_id, link_id, capture_id, ...counts, stored: true })
        .options(when(CaptureEntity, { stored: undefined }, { attr: "capture_id", exists: true })),
      addWhileThere(project_id, added),
    ]),
  );
}
