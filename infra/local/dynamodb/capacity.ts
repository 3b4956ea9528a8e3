/** Consumed capacity: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/capacity-unit-calculations.html */
import { type Item, sizeOfItem } from "./attribute.ts";

const READ_BYTES = 4_096;
const WRITE_BYTES = 1_024;

export const readUnits = (bytes: number, isConsistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / READ_BYTES)) * (isConsistent ? 1 : 0.5);

/** @param items as they are before and after. */
export const writeUnits = (...items: readonly (Item | undefined)[]): number =>
  Math.max(1, ...items.map((item) => (item === undefined ? 1 : Math.ceil(sizeOfItem(item) / WRITE_BYTES))));

/** The field `ConsumedCapacity` of a response, if the request asks for it. */
export const consumed = (asked: string | undefined, TableName: string, CapacityUnits: number): object =>
  asked === undefined || asked === "NONE" ? {} : { ConsumedCapacity: { TableName, CapacityUnits } };
