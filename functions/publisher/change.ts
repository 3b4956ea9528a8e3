/** Reads records of the table's stream. */
import type { AttributeValue, DynamoDBRecord } from "aws-lambda";
import { itemDecoder } from "../shared/store/base/decode-item.ts";
import { ComputeEntity } from "../shared/store/base/service.ts";
import { CountersEntity } from "../shared/store/commit/link-counters.ts";
import { DrawingEntity } from "../shared/store/lab/drawing.ts";
import { LinkEntity } from "../shared/store/lab/link.ts";
import { NodeEntity } from "../shared/store/lab/node.ts";
import { ProjectEntity } from "../shared/store/project/project.ts";
import { SettingsEntity } from "../shared/store/project/project-settings.ts";
import { TemplateEntity } from "../shared/store/template/template.ts";
import { SOURCES, type Source } from "./sources.ts";

/** The change of an item by one commit: `before` is missing if it created the item, `after` if it deleted the item. */
export interface Change {
  readonly source: Source;
  readonly sequenceNumber: string;
  /** When the change was committed, in seconds since 1970. */
  readonly changedS: number;
  readonly before: unknown;
  readonly after: unknown;
}

const DECODERS = {
  project: itemDecoder(ProjectEntity.schema),
  settings: itemDecoder(SettingsEntity.schema),
  node: itemDecoder(NodeEntity.schema),
  link: itemDecoder(LinkEntity.schema),
  counters: itemDecoder(CountersEntity.schema),
  drawing: itemDecoder(DrawingEntity.schema),
  compute: itemDecoder(ComputeEntity.schema),
  template: itemDecoder(TemplateEntity.schema),
} satisfies Record<Source, unknown>;

type Image = Record<string, AttributeValue> | undefined;

/** @returns undefined for an item of another entity. */
export function toChange({ dynamodb = {} }: DynamoDBRecord): Change | undefined {
  const { NewImage, OldImage, SequenceNumber = "", ApproximateCreationDateTime = 0 } = dynamodb;
  const name = (NewImage ?? OldImage)?.entity?.S;
  const source = SOURCES.find((each) => each === name);
  if (source === undefined) return undefined;
  const decode = (image: Image) => image && DECODERS[source](image as never);
  return {
    source,
    sequenceNumber: SequenceNumber,
    changedS: ApproximateCreationDateTime,
    before: decode(OldImage),
    after: decode(NewImage),
  };
}
