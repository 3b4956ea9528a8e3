/** The stream of a table: its changes in their order, in one shard. */
import type { StatementSync } from "node:sqlite";
import { type Item, sizeOfItem } from "./attribute.ts";
import { invalid, noTable } from "./dynamodb-error.ts";
import { integerOf, optionalText, type SqlRow, textOf } from "./sql-row.ts";
import { pickKey, type Table } from "./table.ts";

const ARN = /^arn:aws:dynamodb:[^:]*:[^:]*:table\/([^/]+)\/stream\/(.+)$/;
const MOST_RECORDS = 1_000;
const MOST_BYTES = 1_000_000;
const NUMBER = "CAST(sequence_number AS INTEGER)";

export type IteratorType = "TRIM_HORIZON" | "LATEST" | "AT_SEQUENCE_NUMBER" | "AFTER_SEQUENCE_NUMBER";

interface Iterator {
  readonly table_name: string;
  readonly shard_id: string;
  /** The number of the last record that was read. */
  readonly position: number;
}

export class StreamLog {
  readonly #prepare: (sql: string) => StatementSync;
  /** The last numbers, by table. */
  readonly #last = new Map<string, number>();

  constructor(prepare: (sql: string) => StatementSync) {
    this.#prepare = prepare;
  }

  /** Reads the last numbers again. */
  forget(): void {
    this.#last.clear();
  }

  /** Adds a change of an item, if the table has a stream. */
  append(table: Table, item: Item | undefined, before: Item | undefined): void {
    if (table.streamView === undefined) return;
    const number = this.#lastOf(table.name) + 1;
    const hasNew = /NEW/.test(table.streamView);
    const hasOld = /OLD/.test(table.streamView);
    this.#prepare(
      `INSERT INTO _stream_records (table_name, event_name, keys_json, new_image, old_image, sequence_number, shard_id, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      table.name,
      item === undefined ? "REMOVE" : before === undefined ? "INSERT" : "MODIFY",
      JSON.stringify(pickKey((item ?? before)!, table)),
      item !== undefined && hasNew ? JSON.stringify(item) : null,
      before !== undefined && hasOld ? JSON.stringify(before) : null,
      String(number),
      shardOf(table.name),
      Math.floor(Date.now() / 1000),
    );
    this.#last.set(table.name, number);
  }

  #lastOf(name: string): number {
    const known = this.#last.get(name);
    if (known !== undefined) return known;
    const row = this.#prepare(`SELECT max(${NUMBER}) AS last FROM _stream_records WHERE table_name = ?`).get(
      name,
    );
    const last = Number(row?.last ?? 0);
    this.#last.set(name, last);
    return last;
  }

  describe(arn: string, table: Table | undefined): object {
    if (table?.streamLabel === undefined || arnOf(table) !== arn)
      throw noTable(`Requested resource not found: Stream: ${arn} not found`);
    const row = this.#prepare(`SELECT min(${NUMBER}) AS first FROM _stream_records WHERE table_name = ?`).get(
      table.name,
    );
    return {
      StreamDescription: {
        StreamArn: arn,
        StreamLabel: table.streamLabel,
        StreamStatus: table.streamView === undefined ? "DISABLED" : "ENABLED",
        StreamViewType: table.streamView,
        TableName: table.name,
        KeySchema: table.keySchema,
        CreationRequestDateTime: table.createdS,
        Shards: [
          {
            ShardId: shardOf(table.name),
            SequenceNumberRange: { StartingSequenceNumber: String(row?.first ?? 1) },
          },
        ],
      },
    };
  }

  iterator(table: Table, type: IteratorType, sequenceNumber: string | undefined): object {
    const positions = {
      TRIM_HORIZON: () => 0,
      LATEST: () => this.#lastOf(table.name),
      AT_SEQUENCE_NUMBER: () => Number(sequenceNumber) - 1,
      AFTER_SEQUENCE_NUMBER: () => Number(sequenceNumber),
    };
    const position = positions[type]();
    if (Number.isNaN(position)) throw invalid(`Invalid ShardIteratorType: ${type}`);
    return {
      ShardIterator: packIterator({ table_name: table.name, shard_id: shardOf(table.name), position }),
    };
  }

  records(packed: string, limit = MOST_RECORDS): object {
    const iterator = unpackIterator(packed);
    const rows = this.#prepare(
      `SELECT * FROM _stream_records WHERE table_name = ? AND ${NUMBER} > ? ORDER BY ${NUMBER} LIMIT ?`,
    ).all(iterator.table_name, iterator.position, Math.min(limit, MOST_RECORDS));
    const taken: SqlRow[] = [];
    let bytes = 0;
    for (const row of rows) {
      for (const column of ["keys_json", "new_image", "old_image"])
        bytes += optionalText(row, column)?.length ?? 0;
      if (taken.length > 0 && bytes > MOST_BYTES) break;
      taken.push(row);
    }
    const last = taken.at(-1);
    const position = last === undefined ? iterator.position : Number(textOf(last, "sequence_number"));
    return { Records: taken.map(toRecord), NextShardIterator: packIterator({ ...iterator, position }) };
  }
}

/** Returns the ARN that Dynoxide gives a table: stored positions of streams begin with it. */
export const tableArnOf = (name: string): string => `arn:aws:dynamodb:dynoxide:000000000000:table/${name}`;

export const arnOf = ({ name, streamLabel }: Table): string => `${tableArnOf(name)}/stream/${streamLabel}`;

/** Returns the name of the table of a stream. */
export function tableOfStream(arn: string): string {
  const [, name] = ARN.exec(arn) ?? [];
  if (name === undefined) throw invalid(`Invalid StreamArn: ${arn}`);
  return name;
}

const shardOf = (name: string): string => `shardId-00000001-${name}`;

const packIterator = (iterator: Iterator): string => Buffer.from(JSON.stringify(iterator)).toString("base64");

function unpackIterator(packed: string): Iterator {
  try {
    return JSON.parse(Buffer.from(packed, "base64").toString());
  } catch {
    throw invalid("Invalid ShardIterator");
  }
}

function toRecord(row: SqlRow): object {
  const [newImage, oldImage] = [optionalText(row, "new_image"), optionalText(row, "old_image")];
  const images: Readonly<Record<string, Item>> = {
    Keys: JSON.parse(textOf(row, "keys_json")),
    ...(newImage !== undefined && { NewImage: JSON.parse(newImage) }),
    ...(oldImage !== undefined && { OldImage: JSON.parse(oldImage) }),
  };
  const SequenceNumber = textOf(row, "sequence_number");
  return {
    eventID: SequenceNumber,
    eventName: textOf(row, "event_name"),
    eventVersion: "1.1",
    eventSource: "aws:dynamodb",
    awsRegion: "dynoxide",
    dynamodb: {
      ...images,
      SequenceNumber,
      SizeBytes: Object.values(images).reduce((sum, item) => sum + sizeOfItem(item), 0),
      ApproximateCreationDateTime: integerOf(row, "created_at"),
    },
  };
}
