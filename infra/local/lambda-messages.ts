/**
 * The messages between the gateway's thread and a function's worker thread. `id` is the request id of an invocation: one is
 * computed at a time, while the answers of earlier ones may still be on their way.
 *
 *            <- ready                the handler is loaded
 *
 *     invoke ->                          invoke ->
 *            <- result | whole | fault          <- head
 *                                               <- chunk      one at a time:
 *                                     more ->                 the next follows when the client has taken this one
 *                                               <- end | fault
 *                                     cancel -> the client has gone
 *
 * Each message wakes a thread up, so a streamed answer that is short and complete at once is one message: `whole`.
 */
export type ToWorker =
  | { readonly kind: "invoke"; readonly id: string; readonly event: string; readonly deadlineMs: number }
  | { readonly kind: "more"; readonly id: string }
  | { readonly kind: "cancel"; readonly id: string };

export type FromWorker =
  | { readonly kind: "ready" }
  /** The JSON text of what the handler returned. */
  | { readonly kind: "result"; readonly id: string; readonly payload: string }
  /** A streamed answer: `head`, its only `chunk`, if any, and `end`. */
  | {
      readonly kind: "whole";
      readonly id: string;
      readonly prelude: string | null;
      readonly bytes: Uint8Array;
    }
  /** The JSON text of the metadata, or null when the handler set none. */
  | { readonly kind: "head"; readonly id: string; readonly prelude: string | null }
  | { readonly kind: "chunk"; readonly id: string; readonly bytes: Uint8Array }
  | { readonly kind: "end"; readonly id: string }
  | { readonly kind: "fault"; readonly id: string; readonly message: string };

/** What a worker is started with. */
export interface WorkerSetup {
  readonly bundleFolder: string;
  /** `file.export`, as Lambda has it. */
  readonly handler: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
}
