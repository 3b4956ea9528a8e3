/**
 * What each function may do with the table and the bucket: the actions that its routes come to, each on the keys and prefixes
 * it comes to them with, and nothing else. test/integration/roles.test.ts drives every route and compares.
 */

export type TableAction =
  | "GetItem"
  | "BatchGetItem"
  | "Query"
  | "PutItem"
  | "UpdateItem"
  | "DeleteItem"
  | "ConditionCheckItem"
  | "BatchWriteItem";

/** Of partition keys: functions/store/table.ts. */
export type KeyPattern =
  | "PROJECT#*"
  | "RUN#*"
  | "PROJECT_NAMES"
  | "SYMBOLS"
  | "USAGE#*"
  | "PACE#*"
  | "IDEMPOTENCY#*"
  | "USERS"
  | "FAILURES#*"
  | "KNOWN_SOURCES#*"
  | "SERVICE"
  | "SWEEPER";

export type KeyActions = Readonly<Partial<Record<KeyPattern, readonly TableAction[]>>>;

export interface TableAccess {
  /** A step of a transaction is the action of its item: a `Put` is `PutItem`. */
  readonly keys: KeyActions;
  /** Partition keys of the index of projects that it may query. */
  readonly listings?: readonly ("PROJECTS" | "DELETING")[];
  /** Likewise of the index of who sees them. */
  readonly seen?: readonly ("EVERYBODY" | "USER#*")[];
}

export type ObjectAction = "GetObject" | "PutObject" | "DeleteObject" | "AbortMultipartUpload";

/** Of object keys, up to the first slash. */
export type Prefix = "segments" | "captures" | "symbols";

export interface BucketAccess {
  readonly objects: Readonly<Partial<Record<Prefix, readonly ObjectAction[]>>>;
  /** Prefixes that it lists. */
  readonly lists?: readonly Prefix[] | "everything";
}

export interface Access {
  readonly table?: TableAccess;
  readonly bucket?: BucketAccess;
  readonly memoryMb: number;
  /** How long a request may take, from the function and from the gateway before it. */
  readonly timeoutSeconds: number;
}

/** Requests with an idempotency key: functions/store/idempotency.ts. */
const REQUESTS: KeyActions = { "IDEMPOTENCY#*": ["GetItem", "PutItem", "UpdateItem", "DeleteItem"] };

/** The same where answers are so large that those kept are counted: functions/store/kept-answers.ts. */
const LEDGER: KeyActions = { ...REQUESTS, "PACE#*": ["UpdateItem"] };

/** Who reads a project writes out a run that is committed and pending: functions/store/lab.ts. */
const PENDING_RUNS: KeyActions = { "RUN#*": ["Query", "BatchWriteItem"] };

/** What all captures of a user hold is counted before packets are written, and counted anew when it is too much: functions/store/stored-bytes.ts. */
const USER_BYTES: KeyActions = { "USAGE#*": ["GetItem", "UpdateItem"] };

/** Pages of segments, of a capture that has more than its link lists, are deleted with it or when it is stored: functions/store/segment.ts. */
const PAGES: readonly TableAction[] = ["BatchWriteItem"];

const USUAL_SECONDS = 29;
/** For the deletion of a large project, and the longest that a capture is followed. */
const LONG_SECONDS = 300;
/** The longest that a function can live, for a long capture that is stored or downloaded. */
const STREAM_SECONDS = 900;

export const ACCESS: Readonly<Record<string, Access>> = {
  version: { memoryMb: 256, timeoutSeconds: USUAL_SECONDS },
  docs: { memoryMb: 512, timeoutSeconds: USUAL_SECONDS },
  projects: {
    table: {
      keys: {
        ...LEDGER,
        ...PENDING_RUNS,
        "PROJECT#*": [
          "GetItem",
          "BatchGetItem",
          "Query",
          "PutItem",
          "UpdateItem",
          "DeleteItem",
          "ConditionCheckItem",
          "BatchWriteItem",
        ],
        PROJECT_NAMES: ["PutItem", "DeleteItem"],
        ...USER_BYTES,
      },
      listings: ["PROJECTS"],
      seen: ["EVERYBODY", "USER#*"],
    },
    bucket: {
      objects: {
        segments: ["GetObject", "PutObject", "DeleteObject"],
        captures: ["GetObject", "PutObject", "DeleteObject", "AbortMultipartUpload"],
      },
      lists: ["segments", "captures"],
    },
    memoryMb: 1024,
    timeoutSeconds: LONG_SECONDS,
  },
  nodes: {
    table: {
      keys: {
        ...LEDGER,
        ...PENDING_RUNS,
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", ...PAGES],
        SERVICE: ["Query"],
        SYMBOLS: ["GetItem"],
      },
    },
    bucket: {
      objects: { captures: ["DeleteObject"] },
    },
    memoryMb: 1024,
    timeoutSeconds: USUAL_SECONDS,
  },
  links: {
    table: {
      keys: {
        ...LEDGER,
        ...PENDING_RUNS,
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", ...PAGES],
        ...USER_BYTES,
      },
      seen: ["USER#*"],
    },
    bucket: {
      objects: {
        segments: ["GetObject", "PutObject", "DeleteObject"],
        captures: ["GetObject", "PutObject", "DeleteObject", "AbortMultipartUpload"],
      },
    },
    memoryMb: 1769,
    timeoutSeconds: STREAM_SECONDS,
  },
  follow: {
    table: {
      keys: {
        ...PENDING_RUNS,
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem"],
        "PACE#*": ["GetItem", "PutItem"],
      },
    },
    bucket: { objects: { segments: ["GetObject"], captures: ["GetObject"] } },
    memoryMb: 512,
    timeoutSeconds: LONG_SECONDS,
  },
  runs: {
    table: {
      keys: {
        ...LEDGER,
        ...PENDING_RUNS,
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem"],
        "PACE#*": ["UpdateItem"],
        ...USER_BYTES,
      },
      seen: ["USER#*"],
    },
    bucket: { objects: { segments: ["PutObject", "DeleteObject"] } },
    // One whole processor: a run is computing, and nothing else.
    memoryMb: 1769,
    timeoutSeconds: USUAL_SECONDS,
  },
  captures: {
    table: {
      keys: {
        ...PENDING_RUNS,
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", ...PAGES],
      },
    },
    bucket: {
      objects: {
        segments: ["GetObject", "DeleteObject"],
        captures: ["GetObject", "PutObject", "DeleteObject", "AbortMultipartUpload"],
      },
    },
    memoryMb: 1024,
    timeoutSeconds: STREAM_SECONDS,
  },
  symbols: {
    table: {
      keys: {
        SYMBOLS: ["GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
        "USAGE#*": ["GetItem", "UpdateItem"],
      },
    },
    bucket: { objects: { symbols: ["GetObject", "PutObject", "DeleteObject"] } },
    memoryMb: 1024,
    timeoutSeconds: USUAL_SECONDS,
  },
  simvm: {
    table: { keys: { SERVICE: ["Query", "PutItem"] } },
    memoryMb: 512,
    timeoutSeconds: USUAL_SECONDS,
  },
  computes: {
    table: { keys: { ...REQUESTS, SERVICE: ["Query", "PutItem", "DeleteItem"] } },
    memoryMb: 512,
    timeoutSeconds: USUAL_SECONDS,
  },
  statistics: {
    table: { keys: { "PROJECT#*": ["BatchGetItem", "Query"], SYMBOLS: ["Query"] }, listings: ["PROJECTS"] },
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
    table: {
      keys: {
        ...PENDING_RUNS,
        "PROJECT#*": [
          "GetItem",
          "BatchGetItem",
          "Query",
          "PutItem",
          "UpdateItem",
          "DeleteItem",
          "ConditionCheckItem",
          ...PAGES,
        ],
        PROJECT_NAMES: ["DeleteItem"],
        "USAGE#*": ["UpdateItem"],
        SYMBOLS: ["Query"],
        SWEEPER: ["GetItem", "PutItem"],
      },
      listings: ["PROJECTS", "DELETING"],
    },
    bucket: {
      objects: {
        segments: ["GetObject", "DeleteObject"],
        captures: ["GetObject", "PutObject", "DeleteObject", "AbortMultipartUpload"],
        symbols: ["DeleteObject"],
      },
      lists: "everything",
    },
    memoryMb: 512,
    timeoutSeconds: STREAM_SECONDS,
  },
};
