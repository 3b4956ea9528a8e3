/** A batch of records, and which of them have to be handled again. */
import type { DynamoDBBatchResponse, DynamoDBRecord } from "aws-lambda";
import { logger } from "../shared/edge/log.ts";
import { embedMetrics } from "../shared/edge/metrics.ts";

export class Batch {
  readonly #numbers: readonly string[];
  #firstFailed = Number.POSITIVE_INFINITY;
  #failure: unknown;

  constructor(records: readonly DynamoDBRecord[]) {
    this.#numbers = records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? "");
  }

  /** Notes that the work of a record has failed, so that Lambda repeats it and the records after it. */
  fail(sequenceNumber: string, error: unknown): void {
    const index = this.#numbers.indexOf(sequenceNumber);
    logger.error("a change is handled again", {
      sequence_number: sequenceNumber,
      error: error as Error,
      ...embedMetrics([{ measured: { ChangeFailures: 1 } }]),
    });
    if (index >= this.#firstFailed) return;
    this.#firstFailed = index;
    this.#failure = error;
  }

  /** Returns whether Lambda will repeat the record. */
  isRepeated(sequenceNumber: string): boolean {
    return this.#numbers.indexOf(sequenceNumber) >= this.#firstFailed;
  }

  /**
   * Returns the first record that has failed: Lambda takes those before it as handled.
   * @throws the failure if no record was handled: Lambda then halves the batch, so that a record that always fails ends up alone.
   */
  response(): DynamoDBBatchResponse {
    const itemIdentifier = this.#numbers[this.#firstFailed];
    if (itemIdentifier === undefined) return { batchItemFailures: [] };
    if (this.#firstFailed === 0) throw this.#failure;
    return { batchItemFailures: [{ itemIdentifier }] };
  }
}
