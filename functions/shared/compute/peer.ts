/** Where a compute is, and how the service signs in there. */
export interface Peer {
  /** For messages. */
  readonly name: string;
  readonly protocol: "http" | "https";
  readonly host: string;
  readonly port: number;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Follows `/v2/compute`; its parts are percent-encoded. */
  readonly path: string;
  /** Bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
  /** For the connection and for the head of the response, and then for each pause in the body. */
  readonly timeoutMs?: number;
  /** For each pause in the body, if that is another; 0 for no limit. */
  readonly idleMs?: number;
  /** The most bytes of a response that is read whole. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal | undefined;
}
