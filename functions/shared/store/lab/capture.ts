/**
 * Captures and the segments that runs add to them; segment.ts defines where segments are stored.
 *
 *     start    link.capture set, capture item written                        one transaction
 *     run      bytes of all captures to S3 under a fresh key, unless they
 *              are few; then each link.capture has a segment more, if no
 *              other run added one, with an item of its bytes if they are few  one transaction
 *     stop     link.capture removed, its counts moved to the capture         one transaction
 *     store    one object from all segments; capture marked stored;          S3, then one write,
 *              its pages of segments and items of packets removed            then clean-up
 *
 * A compute records the captures of a link between its nodes: see capture-there.ts.
 *
 * After every step the capture is whole and readable. The next request repeats a step that failed.
 */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { DeleteTransaction } from "dynamodb-toolbox/entity/actions/transactDelete";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $add, $append, $remove, $set, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { boolean } from "dynamodb-toolbox/schema/boolean";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { failure } from "../../edge/errors.ts";
import { logger } from "../../edge/log.ts";
import type { Capture, CaptureOptions } from "../../schemas/capture.ts";
import { CAPTURE_DEFAULTS } from "../../schemas/capture-file.ts";
import { type DataLinkType, dataLinkType } from "../../schemas/common.ts";
import { optionalDocument } from "../base/document.ts";
import { deleteObjects } from "../base/objects.ts";
import { projectKey, table } from "../base/table.ts";
import { holds, holdsAll, STALE, type Transaction, transact, untilFresh } from "../base/transact.ts";
import { when } from "../base/when.ts";
import type { Usage } from "../limits/quota.ts";
import { addWhileOpened, discount, disturbRuns } from "../project/project.ts";
import { captureKey, captureUri } from "./capture-objects.ts";
import { begin, noting } from "./doing.ts";
import { type CapturePlace, LinkEntity, type LinkItem, type RunningCapture, storedOptions } from "./link.ts";
import { forgetSegments, type Segment, storedSegments } from "./segment.ts";

/** Every pcap file begins with a header of 24 bytes; segments omit it. */
export const FILE_HEADER_BYTES = 24;

export const CaptureEntity = new Entity({
  name: "capture",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    link_id: string().key(),
    capture_id: string().key(),
    file_name: string(),
    data_link_type: string().enum(...dataLinkType.options),
    started_at: string(),
    options: storedOptions.optional(),
    /** Where a compute records it; its file is there until it is stored. */
    at: optionalDocument<CapturePlace>(),
    /** Set when the capture stops, like the attributes below. */
    stopped_at: string().optional(),
    segments: number().optional(),
    recent: storedSegments.optional(),
    packets: number().optional(),
    bytes: number().optional(),
    limit_reached: boolean().optional(),
    /** The packets are in one object and no longer in segments. */
    stored: boolean().optional(),
  }),
  computeKey: ({ project_id, link_id, capture_id }) => ({
    pk: projectKey(project_id),
    sk: `CAPTURE#${link_id}#${capture_id}`,
  }),
});
export type CaptureItem = FormattedItem<typeof CaptureEntity>;

/** Returns the capture as the interface shows it; while it runs, the link holds its counts. */
export function toCapture(stored: CaptureItem, running: RunningCapture | undefined): Capture {
  const { project_id, link_id, capture_id, file_name, data_link_type, started_at, options, at } = stored;
  const current = running?.capture_id === capture_id ? running : undefined;
  return {
    capture_id,
    project_id,
    link_id,
    capture_file_name: file_name,
    capture_file_path: captureUri(project_id, capture_id, file_name),
    capture_compute_id: at?.compute_id ?? "local",
    data_link_type,
    bpf: options?.bpf ?? null,
    max_packets: options?.max_packets ?? null,
    max_bytes: options?.max_bytes ?? null,
    snaplen: options?.snaplen ?? CAPTURE_DEFAULTS.snaplen,
    tap: options?.tap ?? CAPTURE_DEFAULTS.tap,
    limit_reached: (current ?? stored).limit_reached ?? false,
    status: current ? "capturing" : "stopped",
    packets: (current ?? stored).packets ?? 0,
    bytes: FILE_HEADER_BYTES + ((current ?? stored).bytes ?? 0),
    started_at,
    stopped_at: stored.stopped_at ?? null,
  };
}

/**
 * @param at the end that records a capture on a compute. The link then notes that the compute has to be called.
 * @returns the link with the running capture; STALE when the project accepts no changes or no more captures, or the link is gone or has a
 *   running capture; `id` when a stopped capture has this id.
 */
export async function startCapture(
  link: LinkItem,
  captureId: string,
  fileName: string,
  dataLinkType: DataLinkType,
  options: CaptureOptions = {},
  at?: RunningCapture["at"],
): Promise<LinkItem | "id" | typeof STALE> {
  const { project_id, link_id } = link;
  const common = {
    capture_id: captureId,
    file_name: fileName,
    data_link_type: dataLinkType,
    started_at: new Date().toISOString(),
    options,
    ...(at && { at }),
  };
  const doing = at && begin("start_capture");
  const asRead = at && { revision: link.revision, doing: undefined };
  const capture: RunningCapture = { ...common, segments: 0, recent: [], packets: 0, bytes: 0, end_ns: "0" };
  const refused = await transact({
    project: addWhileOpened(project_id, { capture_count: 1 }),
    link: LinkEntity.build(UpdateTransaction)
      .item({
        project_id,
        link_id,
        capture: $set(capture),
        ...(doing && noting(doing)),
        revision: $add(1),
      })
      .options(when(LinkEntity, { capture: undefined, ...asRead }, { attr: "link_id", exists: true })),
    capture: CaptureEntity.build(PutTransaction)
      .item({ project_id, link_id, ...common })
      .options(when(CaptureEntity, { capture_id: undefined })),
  });
  if (refused.size === 0) return { ...link, capture, doing, revision: link.revision + 1 };
  return refused.size === 1 && refused.has("capture") ? "id" : STALE;
}

/** For an update of the link: sets the latest segment, and drops the segments that moved to a page from the recent ones. */
export const added = (segment: Segment, page: readonly Segment[] | undefined) =>
  page ? $set([segment]) : $append([segment]);

/** Condition: the capture still runs, and no run has added a segment since. */
const asRead = ({ capture_id, segments }: RunningCapture) =>
  when(LinkEntity, { "capture.capture_id": capture_id, "capture.segments": segments });

/** Returns the steps of a transaction that stops the capture of a link as it was read, and the stopped capture. */
export function stopping(link: LinkItem): { readonly steps: Transaction[]; readonly stopped: CaptureItem } {
  const { project_id, link_id } = link;
  const running = link.capture!;
  const { capture_id, file_name, data_link_type, started_at, options, at } = running;
  const { segments, recent, packets, bytes } = running;
  const key = { project_id, link_id, capture_id };
  const limit_reached = running.limit_reached ?? false;
  const counts = { stopped_at: new Date().toISOString(), segments, recent, packets, bytes, limit_reached };
  const steps = [
    LinkEntity.build(UpdateTransaction)
      .item({ project_id, link_id, capture: $remove() })
      .options(asRead(running)),
    CaptureEntity.build(UpdateTransaction).item({ ...key, ...counts, recent: $set(recent) }),
  ];
  return { steps, stopped: { ...key, file_name, data_link_type, started_at, options, at, ...counts } };
}

/** @returns the stopped capture, or undefined when the capture changed since the link was read. */
export async function stopCapture(link: LinkItem): Promise<CaptureItem | undefined> {
  const { steps, stopped } = stopping(link);
  return (await holdsAll([...steps, disturbRuns(link.project_id)])) ? stopped : undefined;
}

/** Lists the captures of a link, or of all links of a project, oldest first. */
export async function listCaptures(projectId: string, linkId?: string): Promise<CaptureItem[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({
      partition: projectKey(projectId),
      range: { beginsWith: linkId === undefined ? "CAPTURE#" : `CAPTURE#${linkId}#` },
    })
    .entities(CaptureEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  return (Items ?? []).sort((a, b) => a.started_at.localeCompare(b.started_at));
}

/** Records that one object holds the capture, then deletes its segments. @returns false when the capture was deleted. */
export async function markCaptureStored(capture: CaptureItem): Promise<boolean> {
  const { project_id, link_id, capture_id } = capture;
  const key = { project_id, link_id, capture_id };
  const marked = await holds(
    CaptureEntity.build(UpdateItemCommand)
      .item({ ...key, stored: true, recent: $remove() })
      .options(when(CaptureEntity, { attr: "capture_id", exists: true })),
  );
  // Segments are deleted only when their packets are in the object, or the capture is gone.
  if (!marked && (await getCapture(key)) !== undefined) throw failure("store.busy");
  await forgetSegments(project_id, capture_id);
  return marked;
}

/**
 * Removes captures, which must have stopped. Removes references before the objects that they refer to, so an interruption leaves
 * only unreferenced objects. The sweeper deletes these, and the objects of segments, which other captures may share.
 */
export async function removeCaptures(captures: readonly CaptureItem[]): Promise<void> {
  for (const capture of captures) {
    await forgetCapture(capture);
    await discardPackets([capture]);
  }
}

/** Removes the packets of captures that are gone. If that fails, the sweeper removes them. */
export async function discardPackets(captures: readonly CaptureItem[]): Promise<void> {
  for (const { project_id, capture_id, file_name } of captures) {
    try {
      await forgetSegments(project_id, capture_id);
      await deleteObjects([captureKey(project_id, capture_id, file_name)]);
    } catch (error) {
      logger.warn("Packets are left to the sweeper", { project_id, capture_id, error: error as Error });
    }
  }
}

/**
 * Returns the steps of a transaction that removes links with their captures, and the usage of those captures.
 * @param captures all captures of those links, read after the links.
 * @returns undefined when a capture started or stopped between the two reads.
 */
export function removing(
  captures: readonly CaptureItem[],
  links: readonly LinkItem[],
): { readonly steps: Transaction[]; readonly usage: Usage } | undefined {
  const running = new Map(links.flatMap(({ capture }) => (capture ? [[capture.capture_id, capture]] : [])));
  let bytes = 0;
  for (const capture of captures) {
    const counted = running.get(capture.capture_id) ?? capture;
    // The capture started or stopped after its link was read.
    if (counted.bytes === undefined) return undefined;
    bytes += counted.bytes;
  }
  const steps = captures.map(({ project_id, link_id, capture_id }) =>
    CaptureEntity.build(DeleteTransaction)
      .key({ project_id, link_id, capture_id })
      .options(when(CaptureEntity, { attr: "capture_id", exists: true })),
  );
  return { steps, usage: { capture_count: captures.length, stored_bytes: bytes } };
}

/** Reads a capture that was running again: its number of bytes is final only after it has stopped. */
async function forgetCapture(read: CaptureItem): Promise<void> {
  const { project_id, link_id, capture_id } = read;
  const key = { project_id, link_id, capture_id };
  const stopped = read.stopped_at === undefined ? await getCapture(key) : read;
  if (stopped === undefined) return;
  await untilFresh(async () => {
    const deleted = await holdsAll([
      CaptureEntity.build(DeleteTransaction)
        .key(key)
        .options(when(CaptureEntity, { attr: "capture_id", exists: true })),
      discount(project_id, { capture_count: 1, stored_bytes: stopped.bytes }),
    ]);
    // Its packets are deleted next, so the capture must be gone; another request may have deleted it.
    return deleted || (await getCapture(key)) === undefined || STALE;
  });
}

export const captureExists = async (key: Parameters<typeof getCapture>[0]): Promise<boolean> =>
  (await getCapture(key)) !== undefined;

export async function getCapture(
  key: Pick<CaptureItem, "project_id" | "link_id" | "capture_id">,
): Promise<CaptureItem | undefined> {
  const { project_id, link_id, capture_id } = key;
  const { Item } = await CaptureEntity.build(GetItemCommand)
    .key({ project_id, link_id, capture_id })
    .options({ consistent: true })
    .send();
  return Item;
}
