/**
 * The packets of a small segment as an item: a put into the bucket costs as much as eight write units, and a round trip before each commit.
 *
 *     PACKETS#<capture>#<number>     the segment's pcap records, raw deflate
 *
 * The transaction that adds the segment to the capture writes the item, so a run that is not committed leaves none. The item goes with the
 * pages of its capture: when one object holds the capture, or the capture is deleted. If that is interrupted, the sweeper does it.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { Entity } from "dynamodb-toolbox/entity";
import { BatchDeleteRequest } from "dynamodb-toolbox/entity/actions/batchDelete";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { binary } from "dynamodb-toolbox/schema/binary";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { batchDelete } from "../base/batch.ts";
import { writeUnits } from "../base/pace.ts";
import { projectKey, table } from "../base/table.ts";
import type { Transaction } from "../base/transact.ts";
import { segmentNumber } from "./segment-number.ts";

const PacketsEntity = new Entity({
  name: "packets",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    capture_id: string().key(),
    /** The number of the segment. */
    number: number().key(),
    deflated: binary(),
    written_ms: number(),
  }),
  computeKey: ({ project_id, capture_id, number }) => ({
    pk: projectKey(project_id),
    sk: packetsKey(capture_id, number),
  }),
});

const PACKETS = "PACKETS#";
const packetsOf = (captureId: string): string => `${PACKETS}${captureId}#`;
const packetsKey = (captureId: string, number: number): string =>
  `${packetsOf(captureId)}${segmentNumber(number)}`;

/** A transaction takes two units for each kilobyte, so four kilobytes cost what a put into the bucket costs. */
const MAX_UNITS = 3;
/** Packets that deflate to less than MAX_UNITS are hardly ever more. Bounds what a reader inflates at once, too. */
const MAX_BYTES = 32_768;
/** What the item has beside the packets. */
const REST_BYTES = 200;
/** Later segments of a capture are objects: the end of a capture deletes its items, and a partition key takes 1,000 writes a second. */
const MAX_ITEMS = 1_000;

/** The write units of the packets' item, outside of a transaction. */
export const unitsOfPackets = (deflatedBytes: number): number => writeUnits(deflatedBytes + REST_BYTES);

/**
 * Returns the packets of the segments that a run adds to captures, deflated, in the same order.
 * @param recorded with the number that each segment gets in its capture.
 * @returns undefined when one object for all of them costs less.
 */
export function asItems(
  recorded: readonly { readonly number: number; readonly bytes: Uint8Array }[],
): Uint8Array[] | undefined {
  if (recorded.length > MAX_UNITS || recorded.some(({ number }) => number >= MAX_ITEMS)) return undefined;
  if (recorded.reduce((sum, { bytes }) => sum + bytes.length, 0) > MAX_BYTES) return undefined;
  const deflated = recorded.map(({ bytes }) => deflateRawSync(bytes));
  const units = deflated.reduce((sum, { length }) => sum + unitsOfPackets(length), 0);
  return units <= MAX_UNITS ? deflated : undefined;
}

/** Returns the step that writes the packets of a segment. */
export const writePackets = (
  project_id: string,
  capture_id: string,
  number: number,
  deflated: Uint8Array,
): Transaction =>
  PacketsEntity.build(PutTransaction).item({
    project_id,
    capture_id,
    number,
    deflated,
    written_ms: Date.now(),
  });

/** Reads the packets of consecutive segments, by their numbers. One that is missing was deleted with its capture, or moved to its object. */
export async function readPackets(
  projectId: string,
  captureId: string,
  first: number,
  count: number,
): Promise<ReadonlyMap<number, Uint8Array>> {
  const between: [string, string] = [packetsKey(captureId, first), packetsKey(captureId, first + count - 1)];
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: projectKey(projectId), range: { between } })
    .entities(PacketsEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  return new Map((Items ?? []).map(({ number, deflated }) => [number, inflateRawSync(deflated)]));
}

/** Returns when the packets of a segment were written; undefined when they are gone. */
export async function packetsWrittenMs(
  project_id: string,
  capture_id: string,
  number: number,
): Promise<number | undefined> {
  const { Item } = await PacketsEntity.build(GetItemCommand)
    .key({ project_id, capture_id, number })
    .options({ consistent: true })
    .send();
  return Item?.written_ms;
}

/** Deletes the packets of a capture. */
export async function forgetPackets(project_id: string, capture_id: string): Promise<void> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: projectKey(project_id), range: { beginsWith: packetsOf(capture_id) } })
    .entities(PacketsEntity)
    .options({
      consistent: true,
      maxPages: Number.POSITIVE_INFINITY,
      attributes: ["project_id", "capture_id", "number"] as never,
    })
    .send();
  const found = (Items ?? []) as { readonly number: number }[];
  await batchDelete(
    found.map(({ number }) =>
      PacketsEntity.build(BatchDeleteRequest).key({ project_id, capture_id, number }),
    ),
  );
}

/** Lists the ids of captures that have packets in items, leftovers of deleted captures included. Reads one item of each. */
export async function capturesWithPackets(projectId: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = PACKETS; ; ) {
    const { Items = [] } = await table
      .build(QueryCommand)
      .query({ partition: projectKey(projectId), range: { between: [after, `${PACKETS}\uffff`] } })
      .entities(PacketsEntity)
      .options({ consistent: true, limit: 1 })
      .send();
    const [first] = Items;
    if (first === undefined) return ids;
    ids.push(first.capture_id);
    after = `${packetsOf(first.capture_id)}\uffff`;
  }
}
