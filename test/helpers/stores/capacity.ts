/** DynamoDB's capacity units: which calls consume them, and how a proxy asks for them. */
import type { StoreCall } from "./store-proxy.ts";

const CONSUMING =
  /^(GetItem|BatchGetItem|Query|PutItem|UpdateItem|DeleteItem|BatchWriteItem|TransactWriteItems)$/;
export const consumes = ({ name }: StoreCall): boolean => CONSUMING.test(name);

export const askForCapacity = (body: Buffer): Buffer =>
  Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), ReturnConsumedCapacity: "TOTAL" }));

/** Returns the units that an answer reports; 0 for an error. */
export function capacityIn(answer: Buffer): number {
  const { ConsumedCapacity } = JSON.parse(answer.toString() || "{}");
  return [ConsumedCapacity ?? []].flat().reduce((sum: number, part) => sum + (part.CapacityUnits ?? 0), 0);
}
