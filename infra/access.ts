/**
 * The permissions of each function on the table and the bucket: the actions that its routes need, each on the keys and prefixes
 * that they use, and nothing else. test/integration/roles.test.ts calls every route and compares.
 */

import type { Access, BucketAccess, KeyActions, PasswordAction, TableAction } from "./permissions.ts";

/** Requests with an idempotency key: functions/shared/store/idempotency/idempotency.ts. */
const REQUESTS: KeyActions = { "IDEMPOTENCY#*": ["GetItem", "PutItem", "UpdateItem", "DeleteItem"] };

/** Additionally counts the bytes of large stored responses: functions/shared/store/idempotency/kept-answers.ts. */
const LEDGER: KeyActions = { ...REQUESTS, "PACE#*": ["UpdateItem"] };

/** A function that reads a project also makes the changes of its pending commit: functions/shared/store/commit/pending.ts. */
const READS_COMMITS: BucketAccess["objects"] = { commits: ["GetObject", "DeleteObject"] };

/** Functions that need states of devices or counters of links read objects, too: large runs keep theirs there (store/commit/lab-states.ts). */
const READS_STATES: BucketAccess["objects"] = { states: ["GetObject"] };

/** These changes write, update and delete items of the project, on condition that the commit is pending. */
const MAKES_CHANGES: readonly TableAction[] = ["PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"];

/** Additionally makes large commits. */
const COMMITS: BucketAccess["objects"] = { commits: ["GetObject", "PutObject", "DeleteObject"] };

/** Additionally commits runs. */
const RUNS_LABS: BucketAccess["objects"] = {
  ...COMMITS,
  states: ["GetObject", "PutObject", "DeleteObject"],
};

/**
 * A function counts the bytes of all captures of a user before it writes packets, and again when they exceed the quota:
 * functions/shared/store/project/stored-bytes.ts.
 */
const USER_BYTES: KeyActions = { "USAGE#*": ["GetItem", "UpdateItem"] };

/** A function deletes pages of segments with their capture, or when it stores the capture: functions/shared/store/lab/segment.ts. */
const PAGES: readonly TableAction[] = ["BatchWriteItem"];

/** A function that drives computes finds them and reads their passwords: functions/shared/compute/find.ts. */
const READS_PASSWORDS: readonly PasswordAction[] = ["GetSecretValue"];

const USUAL_SECONDS = 29;
/** For the deletion of a large project; also the maximum time for which a client follows a capture. */
const LONG_SECONDS = 300;
/** Lambda's longest timeout, for storing or downloading a long capture. */
const STREAM_SECONDS = 900;

export const ACCESS: Readonly<Record<string, Access>> = {
  version: { memoryMb: 256, timeoutSeconds: USUAL_SECONDS },
  /** Tokens are signed here and verified by the authorizer. */
  tokens: {
    table: { keys: { TOKEN_KEYS: ["GetItem", "PutItem"] } },
    memoryMb: 512,
    timeoutSeconds: USUAL_SECONDS,
  },
  docs: { memoryMb: 512, timeoutSeconds: USUAL_SECONDS },
  projects: {
    table: {
      keys: {
        ...LEDGER,
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", ...MAKES_CHANGES, ...PAGES],
        SERVICE: ["Query"],
        PROJECT_NAMES: ["PutItem", "DeleteItem"],
        // It makes users of namespaces, and no others: these are in the partition USERS.
        NAMESPACES: ["GetItem", "PutItem", "UpdateItem"],
        ...USER_BYTES,
      },
      listings: ["PROJECTS"],
      seen: ["EVERYBODY", "USER#*"],
    },
    bucket: {
      objects: {
        ...RUNS_LABS,
        segments: ["GetObject", "PutObject", "DeleteObject"],
        captures: ["GetObject", "PutObject", "DeleteObject", "AbortMultipartUpload"],
        files: ["DeleteObject"],
        snapshots: ["DeleteObject"],
        guests: ["DeleteObject"],
        runs: ["PutObject", "GetObject"],
      },
      lists: ["segments", "captures", "commits", "states", "files", "snapshots", "guests"],
    },
    passwords: READS_PASSWORDS,
    memoryMb: 1024,
    timeoutSeconds: LONG_SECONDS,
  },
  nodes: {
    table: {
      keys: {
        ...LEDGER,
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", ...MAKES_CHANGES, ...PAGES],
        // Numbers of IOU nodes.
        SERVICE: ["Query", "UpdateItem"],
        SYMBOLS: ["GetItem"],
      },
    },
    bucket: {
      objects: { ...READS_COMMITS, ...READS_STATES, captures: ["DeleteObject"], guests: ["DeleteObject"] },
    },
    passwords: READS_PASSWORDS,
    memoryMb: 1024,
    timeoutSeconds: USUAL_SECONDS,
  },
  links: {
    table: {
      keys: {
        ...LEDGER,
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", ...MAKES_CHANGES, ...PAGES],
        SERVICE: ["Query"],
        ...USER_BYTES,
      },
      seen: ["USER#*"],
    },
    bucket: {
      objects: {
        ...READS_COMMITS,
        ...READS_STATES,
        segments: ["GetObject", "PutObject", "DeleteObject"],
        captures: ["GetObject", "PutObject", "DeleteObject", "AbortMultipartUpload"],
      },
    },
    passwords: READS_PASSWORDS,
    memoryMb: 1769,
    timeoutSeconds: STREAM_SECONDS,
  },
  drawings: {
    table: {
      keys: {
        ...LEDGER,
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", ...MAKES_CHANGES],
      },
    },
    bucket: { objects: READS_COMMITS },
    memoryMb: 512,
    timeoutSeconds: USUAL_SECONDS,
  },
  snapshots: {
    table: {
      keys: {
        ...LEDGER,
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", ...MAKES_CHANGES, ...PAGES],
        ...USER_BYTES,
      },
      seen: ["USER#*"],
    },
    bucket: {
      objects: {
        ...COMMITS,
        ...READS_STATES,
        snapshots: ["GetObject", "PutObject", "DeleteObject"],
        files: ["GetObject", "PutObject", "DeleteObject"],
        guests: ["GetObject", "PutObject", "DeleteObject"],
        captures: ["DeleteObject"],
      },
    },
    memoryMb: 1769,
    timeoutSeconds: USUAL_SECONDS,
  },
  copies: {
    table: {
      keys: {
        ...LEDGER,
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", ...MAKES_CHANGES],
        PROJECT_NAMES: ["PutItem"],
        ...USER_BYTES,
      },
      seen: ["USER#*"],
    },
    bucket: {
      objects: {
        ...COMMITS,
        ...READS_STATES,
        snapshots: ["GetObject", "PutObject", "DeleteObject"],
        files: ["GetObject", "PutObject", "DeleteObject"],
      },
    },
    memoryMb: 1769,
    timeoutSeconds: USUAL_SECONDS,
  },
  follow: {
    table: {
      keys: {
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", ...MAKES_CHANGES],
        SERVICE: ["Query"],
        "PACE#*": ["GetItem", "PutItem"],
      },
    },
    bucket: { objects: { ...READS_COMMITS, segments: ["GetObject"], captures: ["GetObject"] } },
    passwords: READS_PASSWORDS,
    memoryMb: 512,
    timeoutSeconds: LONG_SECONDS,
  },
  notifications: {
    table: {
      keys: {
        // A node on a registered compute gets the status that it has there.
        "PROJECT#*": ["GetItem", "Query", "UpdateItem"],
        SERVICE: ["Query"],
        "EVENTS#*": ["GetItem", "Query", "PutItem"],
        "PACE#*": ["GetItem", "PutItem"],
      },
    },
    passwords: READS_PASSWORDS,
    memoryMb: 256,
    timeoutSeconds: LONG_SECONDS,
  },
  runs: {
    table: {
      keys: {
        ...LEDGER,
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", ...MAKES_CHANGES],
        SERVICE: ["Query"],
        "PACE#*": ["UpdateItem"],
        ...USER_BYTES,
      },
      seen: ["USER#*"],
    },
    bucket: {
      objects: { ...RUNS_LABS, segments: ["PutObject", "DeleteObject"], runs: ["PutObject", "GetObject"] },
    },
    passwords: READS_PASSWORDS,
    // Lambda assigns one whole processor at 1,769 MB; a run needs it, because it only computes.
    memoryMb: 1769,
    timeoutSeconds: USUAL_SECONDS,
  },
  /** State machines call it; it has no routes: infra/guest-runs.ts, infra/lab-sweeps.ts. */
  guests: {
    table: {
      keys: {
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", ...MAKES_CHANGES],
        SERVICE: ["Query"],
        // Consoles whose lines it runs.
        "CONSOLE#*": ["GetItem", "Query", "UpdateItem", "DeleteItem"],
        "PACE#*": ["UpdateItem"],
        ...USER_BYTES,
      },
      seen: ["USER#*"],
    },
    bucket: {
      objects: {
        ...RUNS_LABS,
        segments: ["PutObject", "DeleteObject"],
        runs: ["PutObject", "GetObject"],
        guests: ["GetObject", "PutObject", "DeleteObject"],
        images: ["GetObject"],
        labs: ["PutObject"],
        sweeps: ["PutObject", "GetObject"],
      },
    },
    passwords: READS_PASSWORDS,
    // The most that a new account may give a function.
    memoryMb: 3008,
    scratchMb: 2048,
    timeoutSeconds: STREAM_SECONDS,
  },
  labs: {
    table: { keys: { "PACE#*": ["GetItem", "PutItem", "UpdateItem"] } },
    // A presigned URL has the permissions of the function.
    bucket: {
      objects: {
        labs: ["PutObject", "GetObject"],
        sweeps: ["PutObject", "GetObject"],
        runs: ["PutObject", "GetObject"],
        // A sweep is refused before it begins if an image is missing.
        images: ["GetObject"],
      },
    },
    memoryMb: 1769,
    timeoutSeconds: USUAL_SECONDS,
  },
  /** The state machine of sweeps calls it; it has no routes: infra/lab-sweeps.ts. */
  labcases: {
    bucket: { objects: { sweeps: ["PutObject", "GetObject"] } },
    memoryMb: 1769,
    timeoutSeconds: LONG_SECONDS,
  },
  captures: {
    table: {
      keys: {
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", ...MAKES_CHANGES, ...PAGES],
        SERVICE: ["Query"],
      },
    },
    passwords: READS_PASSWORDS,
    bucket: {
      objects: {
        ...READS_COMMITS,
        segments: ["GetObject", "DeleteObject"],
        captures: ["GetObject", "PutObject", "DeleteObject", "AbortMultipartUpload"],
      },
    },
    memoryMb: 1024,
    timeoutSeconds: STREAM_SECONDS,
  },
  files: {
    table: {
      keys: {
        SERVICE: ["Query"],
        "PROJECT#*": ["GetItem", "BatchGetItem", ...MAKES_CHANGES],
        ...USER_BYTES,
      },
      seen: ["USER#*"],
    },
    passwords: ["GetSecretValue"],
    bucket: {
      objects: { ...READS_COMMITS, ...READS_STATES, files: ["GetObject", "PutObject", "DeleteObject"] },
    },
    memoryMb: 1024,
    timeoutSeconds: USUAL_SECONDS,
  },
  archives: {
    table: {
      keys: {
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", ...MAKES_CHANGES],
        PROJECT_NAMES: ["PutItem"],
        SYMBOLS: ["GetItem", "PutItem", "UpdateItem"],
        "PACE#*": ["UpdateItem"],
        ...USER_BYTES,
      },
      seen: ["USER#*"],
    },
    bucket: {
      objects: {
        ...READS_COMMITS,
        // An import of a large lab stores its states.
        states: ["GetObject", "PutObject", "DeleteObject"],
        files: ["GetObject", "PutObject", "DeleteObject"],
        snapshots: ["GetObject", "PutObject", "DeleteObject"],
        symbols: ["GetObject", "PutObject"],
      },
    },
    memoryMb: 1769,
    timeoutSeconds: LONG_SECONDS,
  },
  templates: {
    table: {
      keys: {
        ...LEDGER,
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", ...MAKES_CHANGES],
        // Numbers of IOU nodes.
        SERVICE: ["Query", "UpdateItem"],
        SYMBOLS: ["GetItem"],
        TEMPLATES: ["GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
      },
    },
    bucket: { objects: { ...READS_COMMITS } },
    passwords: READS_PASSWORDS,
    memoryMb: 1024,
    timeoutSeconds: USUAL_SECONDS,
  },
  actions: {
    table: {
      keys: {
        ...LEDGER,
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", ...MAKES_CHANGES],
        // Numbers of IOU nodes.
        SERVICE: ["Query", "UpdateItem"],
      },
    },
    bucket: { objects: { ...READS_COMMITS, ...READS_STATES } },
    passwords: READS_PASSWORDS,
    memoryMb: 1024,
    // A compute looks for an idle-pc value for minutes.
    timeoutSeconds: LONG_SECONDS,
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
    passwords: ["CreateSecret", "PutSecretValue", "GetSecretValue", "DeleteSecret"],
    memoryMb: 512,
    timeoutSeconds: USUAL_SECONDS,
  },
  emulators: {
    table: { keys: { SERVICE: ["Query"] } },
    passwords: ["GetSecretValue"],
    memoryMb: 512,
    // A compute looks for an idle-pc value for minutes.
    timeoutSeconds: LONG_SECONDS,
  },
  server: {
    table: { keys: { SERVICE: ["GetItem", "PutItem"] } },
    memoryMb: 512,
    timeoutSeconds: USUAL_SECONDS,
  },
  statistics: {
    table: {
      keys: { "PROJECT#*": ["BatchGetItem", "Query"], SYMBOLS: ["Query"], SERVICE: ["Query"] },
      listings: ["PROJECTS"],
    },
    passwords: ["GetSecretValue"],
    memoryMb: 512,
    timeoutSeconds: USUAL_SECONDS,
  },
  page: { memoryMb: 512, timeoutSeconds: USUAL_SECONDS },
  upgrades: {
    table: { keys: { "PROJECT#*": ["GetItem"] } },
    memoryMb: 512,
    timeoutSeconds: USUAL_SECONDS,
  },
  /** The WebSocket API calls the function; it has no routes. infra/sockets.ts grants the use of its connections. */
  sockets: {
    table: {
      keys: {
        SOCKETS: ["GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
        "SOCKETS#*": ["GetItem", "PutItem", "UpdateItem", "DeleteItem"],
        "EVENTS#*": ["GetItem", "Query", "PutItem"],
        "CONSOLE#*": ["GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
        // Consoles of nodes on registered computes.
        SERVICE: ["Query"],
        // Consoles run labs.
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", ...MAKES_CHANGES],
        "PACE#*": ["UpdateItem"],
        ...USER_BYTES,
      },
      seen: ["USER#*"],
    },
    bucket: { objects: { ...RUNS_LABS, segments: ["PutObject", "DeleteObject"], runs: ["PutObject"] } },
    passwords: ["GetSecretValue"],
    memoryMb: 1769,
    timeoutSeconds: USUAL_SECONDS,
  },
  /**
   * The gateway calls the authorizer before the routes. Its permissions on the table depend on the authentication mode:
   * authorizer.ts. Hashing a password takes one whole processor for a third of a second.
   */
  authorizer: { memoryMb: 1769, timeoutSeconds: 10 },
  /** EventBridge calls both; they have no routes. infra/helper.ts grants the use of EC2, and the helper machine's access of other functions. */
  helper: {
    table: {
      keys: {
        SERVICE: ["Query", "GetItem", "PutItem", "DeleteItem"],
        // Which projects that use the machine are open.
        "PROJECT#*": ["BatchGetItem"],
      },
    },
    memoryMb: 256,
    timeoutSeconds: USUAL_SECONDS,
  },
  probe: {
    table: { keys: { SERVICE: ["Query", "GetItem", "PutItem"] } },
    passwords: ["GetSecretValue"],
    memoryMb: 256,
    timeoutSeconds: 60,
  },
  /** EventBridge calls the sweeper on a schedule; it has no routes. */
  sweeper: {
    table: {
      keys: {
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", ...MAKES_CHANGES, ...PAGES],
        PROJECT_NAMES: ["DeleteItem"],
        "USAGE#*": ["UpdateItem"],
        SYMBOLS: ["Query"],
        SWEEPER: ["GetItem", "PutItem"],
        SERVICE: ["Query"],
        NAMESPACES: ["GetItem", "Query", "DeleteItem"],
      },
      listings: ["PROJECTS", "DELETING", "DOING"],
      seen: ["USER#*"],
    },
    bucket: {
      objects: {
        ...READS_COMMITS,
        states: ["GetObject", "DeleteObject"],
        segments: ["GetObject", "DeleteObject"],
        captures: ["GetObject", "PutObject", "DeleteObject", "AbortMultipartUpload"],
        symbols: ["DeleteObject"],
        files: ["DeleteObject"],
        snapshots: ["DeleteObject"],
        guests: ["DeleteObject"],
      },
      lists: "everything",
    },
    passwords: READS_PASSWORDS,
    memoryMb: 512,
    timeoutSeconds: STREAM_SECONDS,
  },
  /** The publisher calls the watcher for new connections; it has no routes. */
  watcher: {
    table: {
      keys: {
        SOCKETS: ["Query"],
        // The lease, its calls, and followers.
        "SOCKETS#*": ["Query", "PutItem", "UpdateItem"],
        SERVICE: ["Query"],
        "PROJECT#*": ["GetItem", "BatchGetItem", "Query", "UpdateItem"],
      },
    },
    passwords: READS_PASSWORDS,
    memoryMb: 256,
    timeoutSeconds: LONG_SECONDS,
  },
  /** Lambda calls the publisher with changes of the table; it has no routes. infra/publisher.ts grants the calls of other functions. */
  publisher: {
    table: {
      keys: {
        // Settings of a project whose change did not change them.
        "PROJECT#*": ["BatchGetItem", "GetItem"],
        "EVENTS#*": ["GetItem", "Query", "PutItem", "UpdateItem"],
        // Consoles of nodes that are stopped.
        "CONSOLE#*": ["Query", "DeleteItem"],
        // Followers over WebSockets.
        "SOCKETS#*": ["GetItem", "Query", "UpdateItem", "DeleteItem"],
      },
    },
    bucket: { objects: READS_STATES },
    memoryMb: 512,
    timeoutSeconds: 60,
  },
};
