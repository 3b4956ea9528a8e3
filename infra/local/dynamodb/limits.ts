/**
 * DynamoDB's limits. Each is a switch of the server: a test may lower one, to reach it with few items.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
export interface Limits {
  readonly itemBytes: number;
  readonly partitionKeyBytes: number;
  readonly sortKeyBytes: number;
  /** The maximum size of all items that a query or a scan reads for one response. */
  readonly pageBytes: number;
  readonly transactionItems: number;
  readonly transactionBytes: number;
  readonly batchReads: number;
  /** A batch returns the keys behind this size as unprocessed. */
  readonly batchReadBytes: number;
  readonly batchWrites: number;
  readonly expressionBytes: number;
  readonly nesting: number;
  /** Whether expressions refuse DynamoDB's words as names of attributes. */
  readonly refusesReservedWords: boolean;
}

const [KIB, MIB] = [1024, 1024 * 1024];

export const LIMITS: Limits = {
  itemBytes: 400 * KIB,
  partitionKeyBytes: 2 * KIB,
  sortKeyBytes: KIB,
  pageBytes: MIB,
  transactionItems: 100,
  transactionBytes: 4 * MIB,
  batchReads: 100,
  batchReadBytes: 16 * MIB,
  batchWrites: 25,
  expressionBytes: 4 * KIB,
  nesting: 32,
  refusesReservedWords: true,
};
