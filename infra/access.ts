/** What each function may do with the table and the bucket: no more than its routes need. */

export interface TableAccess {
  readonly actions: readonly string[];
  /** May list projects by the index. */
  readonly index?: boolean;
  /** Partition keys, with wildcards; when absent, all of them. */
  readonly keys?: readonly string[];
}

export interface BucketAccess {
  readonly actions: readonly string[];
  readonly prefixes: readonly string[];
}

export interface Access {
  readonly table?: TableAccess;
  readonly bucket?: BucketAccess;
  readonly memoryMb: number;
  /** How long a request may take, from the function and from the gateway before it. */
  readonly timeoutSeconds: number;
}

const READ = ["GetItem", "BatchGetItem", "Query"];
const WRITE = ["PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"];
const BATCH_WRITE = ["BatchWriteItem"];

const CAPTURES = ["segments", "captures"];

const USUAL_SECONDS = 29;
/** For the deletion of a large project. */
const LONG_SECONDS = 300;
/** The longest that a function can live, for a capture that is followed or a long one that is downloaded. */
const STREAM_SECONDS = 900;

export const ACCESS: Readonly<Record<string, Access>> = {
  version: { memoryMb: 256, timeoutSeconds: USUAL_SECONDS },
  docs: { memoryMb: 512, timeoutSeconds: USUAL_SECONDS },
  projects: {
    table: { actions: [...READ, ...WRITE, ...BATCH_WRITE], index: true },
    bucket: {
      actions: ["GetObject", "PutObject", "DeleteObject", "AbortMultipartUpload"],
      prefixes: CAPTURES,
    },
    memoryMb: 1024,
    timeoutSeconds: LONG_SECONDS,
  },
  nodes: {
    table: { actions: [...READ, ...WRITE, ...BATCH_WRITE] },
    bucket: { actions: ["DeleteObject"], prefixes: CAPTURES },
    memoryMb: 1024,
    timeoutSeconds: USUAL_SECONDS,
  },
  links: {
    table: { actions: [...READ, ...WRITE, ...BATCH_WRITE] },
    bucket: {
      actions: ["GetObject", "PutObject", "DeleteObject", "AbortMultipartUpload"],
      prefixes: CAPTURES,
    },
    memoryMb: 1769,
    timeoutSeconds: STREAM_SECONDS,
  },
  runs: {
    table: { actions: [...READ, ...WRITE, ...BATCH_WRITE] },
    bucket: { actions: ["PutObject", "DeleteObject"], prefixes: ["segments"] },
    // One whole processor: a run is computing, and nothing else.
    memoryMb: 1769,
    timeoutSeconds: USUAL_SECONDS,
  },
  captures: {
    table: { actions: [...READ, ...WRITE, ...BATCH_WRITE] },
    bucket: { actions: ["GetObject", "DeleteObject"], prefixes: CAPTURES },
    memoryMb: 1024,
    timeoutSeconds: STREAM_SECONDS,
  },
  symbols: {
    table: { actions: ["GetItem", "Query", "PutItem"] },
    bucket: { actions: ["GetObject", "PutObject", "DeleteObject"], prefixes: ["symbols"] },
    memoryMb: 1024,
    timeoutSeconds: USUAL_SECONDS,
  },
  simvm: {
    table: { actions: ["Query", "PutItem"] },
    memoryMb: 512,
    timeoutSeconds: USUAL_SECONDS,
  },
  computes: {
    // Items that are got and updated are those of idempotency keys.
    table: { actions: ["GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"] },
    memoryMb: 512,
    timeoutSeconds: USUAL_SECONDS,
  },
  statistics: {
    table: { actions: ["Query"], index: true },
    memoryMb: 512,
    timeoutSeconds: USUAL_SECONDS,
  },
  /**
   * Called by the gateway, not by routes. What it may do with the table follows from who may come in: authorizer.ts.
   * Hashing a password is computing, and nothing else: one whole processor, a third of a second.
   */
  authorizer: { memoryMb: 1769, timeoutSeconds: 10 },
  /** Called on a schedule, not by routes. */
  sweeper: {
    table: { actions: [...READ, ...WRITE, ...BATCH_WRITE], index: true },
    bucket: {
      actions: ["GetObject", "PutObject", "DeleteObject", "AbortMultipartUpload"],
      prefixes: [...CAPTURES, "symbols"],
    },
    memoryMb: 512,
    timeoutSeconds: STREAM_SECONDS,
  },
};
