/**
 * A segment holds the packets that one run has added to one capture. Those of a few small segments are items: packets.ts. Otherwise one
 * object holds the packets that a run has added to all captures, and a segment is a part of this object.
 *
 *     link.capture.recent                the last few, while the capture runs
 *     capture.recent                     the same, once it has stopped
 *     SEGMENTS#<capture>#<number>        the earlier ones, PAGE_SEGMENTS in each item
 *
 * So a run writes one item for each capturing link, perhaps one with packets, and occasionally a page.
 */
import { Entity } from "dynamodb-toolbox/entity";
import { BatchDeleteRequest } from "dynamodb-toolbox/entity/actions/batchDelete";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { item } from "dynamodb-toolbox/schema/item";
import { list } from "dynamodb-toolbox/schema/list";
import { map } from "dynamodb-toolbox/schema/map";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { batchDelete } from "../base/batch.ts";
import { projectKey, table } from "../base/table.ts";
import type { Transaction } from "../base/transact.ts";
import { forgetPackets } from "./packets.ts";
import { segmentNumber } from "./segment-number.ts";

export interface Segment {
  /** Identifies the object: see capture-objects.ts. Absent when the packets are an item, or there are none. */
  readonly object_id?: string | undefined;
  /** Position of the segment in the object, in bytes. */
  readonly offset?: number | undefined;
  /** Bytes of the pcap records. */
  readonly length: number;
}

/** A segment whose packets are in an object. */
export interface ObjectSegment extends Segment {
  readonly object_id: string;
  readonly offset: number;
}

export const isInObject = (segment: Segment): segment is ObjectSegment =>
  segment.object_id !== undefined && segment.length > 0;

export const storedSegments = list(
  map({ object_id: string().optional(), offset: number().optional(), length: number() }),
);

/** Length of every page, and the most recent segments. Keys of pages are multiples of it, so it must not change. */
export const PAGE_SEGMENTS = 8;

const PageEntity = new Entity({
  name: "segments",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    capture_id: string().key(),
    /** Number of the first segment: a multiple of PAGE_SEGMENTS. */
    number: number().key(),
    segments: storedSegments,
  }),
  computeKey: ({ project_id, capture_id, number }) => ({
    pk: projectKey(project_id),
    sk: pageKey(capture_id, number),
  }),
});

const pagesOf = (captureId: string): string => `SEGMENTS#${captureId}#`;

const pageKey = (captureId: string, number: number): string =>
  `${pagesOf(captureId)}${segmentNumber(number)}`;

/** How much of a capture exists so far: its number of segments, and the recent ones. */
export interface SegmentCount {
  readonly segments?: number | undefined;
  readonly recent?: readonly Segment[] | undefined;
}

/** Returns the recent segments that have to move to a page before another segment is added. */
export const dueForPage = (recent: readonly Segment[]): readonly Segment[] | undefined =>
  recent.length < PAGE_SEGMENTS ? undefined : recent;

/** Returns the step that writes a page; `next` is the number of the segment after it. */
export const writePage = (
  project_id: string,
  capture_id: string,
  next: number,
  page: readonly Segment[],
): Transaction =>
  PageEntity.build(PutTransaction).item({
    project_id,
    capture_id,
    number: next - page.length,
    segments: page as Segment[],
  });

/**
 * Lists a capture's segments from number `from` on, in order; recent segments need no call.
 * @returns undefined when pages are gone: another request stored the capture as one object, or deleted it, since `count` was read.
 */
export async function listSegments(
  projectId: string,
  captureId: string,
  { segments = 0, recent = [] }: SegmentCount,
  from = 0,
): Promise<readonly Segment[] | undefined> {
  const inPages = segments - recent.length;
  if (from >= inPages) return recent.slice(from - inPages);
  const skipped = from % PAGE_SEGMENTS;
  const range = { between: [pageKey(captureId, from - skipped), pageKey(captureId, inPages - 1)] } as const;
  const pages = await queryPages(projectId, range as never);
  const older = pages.flatMap((page) => page.segments).slice(skipped);
  return older.length === inPages - from ? [...older, ...recent] : undefined;
}

export interface SegmentPage {
  readonly capture_id: string;
  readonly number: number;
  readonly segments: readonly Segment[];
}

/** Lists the pages of all captures of a project, including leftovers of deleted captures. */
export const listPages = (projectId: string): Promise<readonly SegmentPage[]> =>
  queryPages(projectId, { beginsWith: "SEGMENTS#" });

async function queryPages(
  projectId: string,
  range: { readonly beginsWith: string },
): Promise<readonly SegmentPage[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: projectKey(projectId), range })
    .entities(PageEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  return Items ?? [];
}

/** Deletes a capture's pages and packets; the objects stay, because other captures may have segments in them. */
export async function forgetSegments(projectId: string, captureId: string): Promise<void> {
  await forgetPages(projectId, await queryPages(projectId, { beginsWith: pagesOf(captureId) }));
  await forgetPackets(projectId, captureId);
}

export const forgetPages = (projectId: string, pages: readonly SegmentPage[]): Promise<void> =>
  batchDelete(
    pages.map(({ capture_id, number }) =>
      PageEntity.build(BatchDeleteRequest).key({ project_id: projectId, capture_id, number }),
    ),
  );
