/** Stands in for the SQS queues that get what Lambda gives up: each message is printed, because on one machine no program reads it later. */

export interface FailureQueues {
  /** @param queueId the queue's logical id. */
  send(queueId: string, message: object): void;
}

export const makeFailureQueues = (report: (line: string) => void): FailureQueues => ({
  send: (queueId, message) => report(`The queue ${queueId} has a new message: ${JSON.stringify(message)}`),
});
