/** What a function may be allowed to do with the table, the bucket and the passwords, and its size. */

export type TableAction =
  | "GetItem"
  | "BatchGetItem"
  | "Query"
  | "PutItem"
  | "UpdateItem"
  | "DeleteItem"
  | "ConditionCheckItem"
  | "BatchWriteItem";

/** Patterns of partition keys: functions/shared/store/base/table.ts. */
type KeyPattern =
  | "PROJECT#*"
  | "PROJECT_NAMES"
  | "SYMBOLS"
  | "TEMPLATES"
  | "USAGE#*"
  | "PACE#*"
  | "IDEMPOTENCY#*"
  | "USERS"
  | "NAMESPACES"
  | "TOKEN_KEYS"
  | "FAILURES#*"
  | "KNOWN_SOURCES#*"
  | "SERVICE"
  | "SWEEPER"
  | "EVENTS#*"
  | "SOCKETS"
  | "SOCKETS#*"
  | "CONSOLE#*";

export type KeyActions = Readonly<Partial<Record<KeyPattern, readonly TableAction[]>>>;

export interface TableAccess {
  /** A step of a transaction needs the action of its item: a `Put` needs `PutItem`. */
  readonly keys: KeyActions;
  /** Partition keys that the function may query in the index of projects. */
  readonly listings?: readonly ("PROJECTS" | "DELETING" | "DOING")[];
  /** Partition keys that the function may query in the index of the projects that a user may see. */
  readonly seen?: readonly ("EVERYBODY" | "USER#*")[];
}

export type ObjectAction = "GetObject" | "PutObject" | "DeleteObject" | "AbortMultipartUpload";

/** Object keys up to the first slash. */
export type Prefix =
  | "segments"
  | "captures"
  | "commits"
  | "states"
  | "symbols"
  | "files"
  | "snapshots"
  | "labs"
  | "sweeps"
  | "guests"
  | "images"
  | "runs";

export interface BucketAccess {
  readonly objects: Readonly<Partial<Record<Prefix, readonly ObjectAction[]>>>;
  /** Prefixes that the function may list. */
  readonly lists?: readonly Prefix[] | "everything";
}

/** Actions of Secrets Manager. */
export type PasswordAction = "CreateSecret" | "PutSecretValue" | "GetSecretValue" | "DeleteSecret";

export interface Access {
  readonly table?: TableAccess;
  readonly bucket?: BucketAccess;
  /** What the function does with the passwords of computes: functions/shared/store/base/compute-password.ts. */
  readonly passwords?: readonly PasswordAction[];
  readonly memoryMb: number;
  /** The folder /tmp; absent for Lambda's 512 MB. */
  readonly scratchMb?: number;
  /** The timeout of a request, in the function and in the gateway. */
  readonly timeoutSeconds: number;
}
