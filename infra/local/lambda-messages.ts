/**
 * The messages between the gateway's thread and a function's worker thread. `id` is the request id of an invocation. Several
 * invocations can be in progress in one worker.
 *
 *            <- ready                the handler is loaded
 *
 *     invoke ->                          invoke ->
 *            <- result | whole | fault          <- head
 *                                               <- chunk      one at a time:
 *                                     more ->                 sent when the client has received the last chunk
 *                                               <- end | fault
 *                                     cancel -> the client has disconnected
 *
 *       ping ->                          whether its event loop is free for a further invocation
 *            <- pong
 *
 * Each message wakes a thread, so a short streamed response that is complete at once is one message: `whole`.
 */
export type ToWorker =
  | { readonly kind: "invoke"; readonly id: string; readonly event: string; readonly deadlineMs: number }
  | { readonly kind: "more"; readonly id: string }
  | { readonly kind: "cancel"; readonly id: string }
  | { readonly kind: "ping" };

export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "pong" }
  /** `payload` is the JSON text of the handler's return value. */
  | { readonly kind: "result"; readonly id: string; readonly payload: string }
  /** Replaces `head`, the only `chunk`, if any, and `end`. */
  | {
      readonly kind: "whole";
      readonly id: string;
      readonly prelude: string | null;
      readonly bytes: Uint8Array;
    }
  /** `prelude` is the JSON text of the metadata, or null if the handler set none. */
  | { readonly kind: "head"; readonly id: string; readonly prelude: string | null }
  | { readonly kind: "chunk"; readonly id: string; readonly bytes: Uint8Array }
  | { readonly kind: "end"; readonly id: string }
  | { readonly kind: "fault"; readonly id: string; readonly message: string };

/** The `workerData` of a function's worker thread. */
export interface WorkerSetup {
  readonly bundleFolder: string;
  /** `file.export`, as in Lambda's configuration. */
  readonly handler: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
}
