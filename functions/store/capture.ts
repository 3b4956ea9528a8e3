/**
 * Captures and their segments.
 *
 *     start    link.capture set, capture item written                        one transaction
 *     run      bytes to S3 under a fresh key; then segment item written
 *              and link.capture's counts raised, if nobody came first        one transaction
 *     stop     link.capture removed, counts moved to the capture item        one transaction
 *     store    one object from all segments; capture marked stored;          S3, then one write,
 *              segments removed                                              then clean-up
 *
 * After every step the capture is whole and readable; a step that died is repeated by whoever comes next.
 */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { BatchDeleteRequest } from "dynamodb-toolbox/entity/actions/batchDelete";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { DeleteTransaction } from "dynamodb-toolbox/entity/actions/transactDelete";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $add, $remove, $set, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { boolean } from "dynamodb-toolbox/schema/boolean";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { failure } from "../api/errors.ts";
import type { Receipt } from "../api/idempotency.ts";
import { CAPTURE_DEFAULTS, type Capture, type CaptureOptions } from "../api/schemas/capture.ts";
import { type DataLinkType, dataLinkType } from "../api/schemas/common.ts";
import { batchDelete } from "./batch.ts";
import { capturePrefixes, captureUri, segmentNumber } from "./capture-objects.ts";
import { carriedOut } from "./idempotency.ts";
import { LinkEntity, type LinkItem, type RunningCapture, storedOptions } from "./link.ts";
import { deletePrefix } from "./objects.ts";
import { addWhileOpened, discount, disturbRuns } from "./project.ts";
import { projectKey, table } from "./table.ts";
import { holds, transact } from "./transact.ts";

/** Every pcap file begins with 24 bytes of header, which segments leave out. */
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
    /** What follows is set when the capture stops. */
    stopped_at: string().optional(),
    segments: number().optional(),
    packets: number().optional(),
    bytes: number().optional(),
    limit_reached: boolean().optional(),
    /** The packets are one object now, not segments any more. */
    stored: boolean().optional(),
  }),
  computeKey: ({ project_id, link_id, capture_id }) => ({
    pk: projectKey(project_id),
    sk: `CAPTURE#${link_id}#${capture_id}`,
  }),
});
export type CaptureItem = FormattedItem<typeof CaptureEntity>;

export const SegmentEntity = new Entity({
  name: "segment",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    capture_id: string().key(),
    number: number().key(),
    object_key: string(),
  }),
  computeKey: ({ project_id, capture_id, number }) => ({
    pk: segmentsKey(project_id, capture_id),
    sk: `SEGMENT#${segmentNumber(number)}`,
  }),
});

const segmentsKey = (projectId: string, captureId: string): string => `CAPTURE#${projectId}#${captureId}`;

/** The capture as the interface shows it; while it runs, its counts are the link's. */
export function toCapture(stored: CaptureItem, running: RunningCapture | undefined): Capture {
  const { project_id, link_id, capture_id, file_name, data_link_type, started_at, options } = stored;
  const current = running?.capture_id === capture_id ? running : undefined;
  return {
    capture_id,
    project_id,
    link_id,
    capture_file_name: file_name,
    capture_file_path: captureUri(project_id, capture_id, file_name),
    capture_compute_id: "local",
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
 * @returns the link with the capture running; `project` when the project takes no changes or no more captures, `changed` when the link is
 *   gone or captures already, `id` when the capture exists, and runs no more.
 */
export async function startCapture(
  link: LinkItem,
  captureId: string,
  fileName: string,
  dataLinkType: DataLinkType,
  options: CaptureOptions = {},
): Promise<LinkItem | "project" | "changed" | "id"> {
  const { project_id, link_id } = link;
  const common = {
    capture_id: captureId,
    file_name: fileName,
    data_link_type: dataLinkType,
    started_at: new Date().toISOString(),
    options,
  };
  const capture: RunningCapture = { ...common, segments: 0, packets: 0, bytes: 0, end_ns: "0" };
  const refused = await transact([
    addWhileOpened(project_id, { capture_count: 1 }),
    LinkEntity.build(UpdateTransaction)
      .item({ project_id, link_id, capture: $set(capture), revision: $add(1) })
      .options({
        condition: {
          and: [
            { attr: "link_id", exists: true },
            { attr: "capture", exists: false },
          ],
        },
      }),
    CaptureEntity.build(PutTransaction)
      .item({ project_id, link_id, ...common })
      .options({ condition: { attr: "capture_id", exists: false } }),
  ]);
  if (refused.includes(0)) return "project";
  if (refused.includes(2) && !refused.includes(1)) return "id";
  return refused.length > 0 ? "changed" : { ...link, capture, revision: link.revision + 1 };
}

/** What a run adds to a capture. */
export interface SegmentContent {
  readonly objectKey: string;
  readonly packets: number;
  readonly bytes: number;
  /** A limit of the capture has ended the recording. */
  readonly limitReached?: boolean;
  readonly endNs: bigint;
  /** The lab's clock after it; as it was when absent. */
  readonly clockUs?: number;
  /** Of the request that it answers. */
  readonly receipt?: Receipt | undefined;
}

/**
 * @returns false when the capture stopped, or another run was added, since the link was read.
 * @throws ApiError `idempotency.in-progress` when the request is somebody else's by now.
 */
export async function commitSegment(
  link: LinkItem,
  running: RunningCapture,
  content: SegmentContent,
): Promise<boolean> {
  const { project_id, link_id } = link;
  const { capture_id, segments } = running;
  const refused = await transact([
    disturbRuns(project_id, content.clockUs, { stored_bytes: content.bytes }),
    SegmentEntity.build(PutTransaction).item({
      project_id,
      capture_id,
      number: segments,
      object_key: content.objectKey,
    }),
    LinkEntity.build(UpdateTransaction)
      .item({
        project_id,
        link_id,
        capture: {
          segments: segments + 1,
          packets: running.packets + content.packets,
          bytes: running.bytes + content.bytes,
          ...(content.limitReached && { limit_reached: true }),
          end_ns: String(content.endNs),
        },
      })
      .options({ condition: asRead(running) }),
    ...carriedOut(content.receipt),
  ]);
  if (refused.includes(RECEIPT_STEP)) throw failure("idempotency.in-progress");
  return refused.length === 0;
}

/** Its place among the steps above. */
const RECEIPT_STEP = 3;

/** The capture runs still, and no segment came since. */
const asRead = ({ capture_id, segments }: RunningCapture) => ({
  and: [
    { attr: "capture.capture_id" as const, eq: capture_id },
    { attr: "capture.segments" as const, eq: segments },
  ],
});

/** @returns the stopped capture, or undefined when it changed since the link was read. */
export async function stopCapture(link: LinkItem): Promise<CaptureItem | undefined> {
  const { project_id, link_id } = link;
  const running = link.capture!;
  const { capture_id, file_name, data_link_type, started_at, options, segments, packets, bytes } = running;
  const key = { project_id, link_id, capture_id };
  const limit_reached = running.limit_reached ?? false;
  const stopped = { stopped_at: new Date().toISOString(), segments, packets, bytes, limit_reached };
  const refused = await transact([
    LinkEntity.build(UpdateTransaction)
      .item({ project_id, link_id, capture: $remove() })
      .options({ condition: asRead(running) }),
    CaptureEntity.build(UpdateTransaction).item({ ...key, ...stopped }),
    disturbRuns(project_id),
  ]);
  return refused.length > 0
    ? undefined
    : { ...key, file_name, data_link_type, started_at, options, ...stopped };
}

/** The keys of a capture's segments from number `from` on, in order. */
export async function listSegments(projectId: string, captureId: string, from = 0): Promise<string[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({
      partition: segmentsKey(projectId, captureId),
      range: { gte: `SEGMENT#${segmentNumber(from)}` },
    })
    .entities(SegmentEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  return (Items ?? []).map((segment) => segment.object_key);
}

/** The captures of a link, or of all links of a project, oldest first. */
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

/** Notes that the capture is one object now, then removes its segments. @returns false when it is deleted. */
export async function markCaptureStored(capture: CaptureItem): Promise<boolean> {
  const { project_id, link_id, capture_id } = capture;
  const kept = await holds(
    CaptureEntity.build(UpdateItemCommand)
      .item({ project_id, link_id, capture_id, stored: true })
      .options({ condition: { attr: "capture_id", exists: true } }),
  );
  await removeSegments(project_id, capture_id);
  return kept;
}

/** What refers to the objects goes before them. */
async function removeSegments(projectId: string, captureId: string): Promise<void> {
  await forgetSegments(projectId, captureId);
  await deletePrefix(capturePrefixes(projectId, captureId)[0]!);
}

export async function forgetSegments(projectId: string, captureId: string): Promise<void> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: segmentsKey(projectId, captureId) })
    .entities(SegmentEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  const requests = (Items ?? []).map(({ number }) =>
    SegmentEntity.build(BatchDeleteRequest).key({ project_id: projectId, capture_id: captureId, number }),
  );
  await batchDelete(requests);
}

/**
 * Removes captures, which must have stopped: what refers before what is referred to, so that an interruption leaves nothing
 * but bytes that nobody sees, for the sweeper.
 */
export async function removeCaptures(captures: readonly CaptureItem[]): Promise<void> {
  for (const capture of captures) {
    const { project_id, capture_id } = capture;
    await forgetCapture(capture);
    await forgetSegments(project_id, capture_id);
    for (const prefix of capturePrefixes(project_id, capture_id)) await deletePrefix(prefix);
  }
}

/** One that ran when it was read is read again: how many bytes it holds is known when it has stopped. */
async function forgetCapture(read: CaptureItem): Promise<void> {
  const { project_id, link_id, capture_id } = read;
  const key = { project_id, link_id, capture_id };
  const stopped = read.stopped_at === undefined ? await getCapture(key) : read;
  if (stopped === undefined) return;
  await transact([
    CaptureEntity.build(DeleteTransaction)
      .key(key)
      .options({ condition: { attr: "capture_id", exists: true } }),
    discount(project_id, { capture_count: 1, stored_bytes: stopped.bytes }),
  ]);
}

async function getCapture(
  key: Pick<CaptureItem, "project_id" | "link_id" | "capture_id">,
): Promise<CaptureItem | undefined> {
  const { Item } = await CaptureEntity.build(GetItemCommand).key(key).options({ consistent: true }).send();
  return Item;
}
