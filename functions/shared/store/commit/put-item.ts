/** Encodes an item of an entity as a change of a commit. */
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import type { StoredItem } from "../base/any-item.ts";
import type { PutChange } from "./run-changes.ts";

interface WritableEntity {
  build(action: typeof PutTransaction): { item(item: never): { params(): unknown } };
}

export function putItem(entity: unknown, item: object): PutChange {
  const written = (entity as WritableEntity)
    .build(PutTransaction)
    .item(item as never)
    .params();
  const {
    pk: _partition,
    sk,
    ...stored
  } = (written as { Put: { Item: StoredItem & { sk: string } } }).Put.Item;
  return { kind: "put", sk, item: stored };
}
