/**
 * A run with guests in the bucket: what is asked, how far it is, and the outcome. The lifecycle rule deletes all of it after a day:
 * infra/bucket.ts.
 */
import type { Access } from "../edge/access.ts";
import type { ErrorCode, Problem } from "../edge/errors.ts";
import type { Origin } from "../edge/operation.ts";
import { putObject, readObject } from "../store/base/objects.ts";

export interface StoredRequest {
  /** The name of the route. */
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Absent for consoles: functions/sockets/console/hand-over.ts. */
  readonly origin?: Origin;
  readonly access: Access;
}

/** In lab seconds. */
export interface Progress {
  readonly elapsed: number;
}

export interface StoredAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

export interface StoredError {
  readonly code: ErrorCode;
  readonly facts: Readonly<Record<string, string | number>>;
  readonly problems?: readonly Problem[] | undefined;
}

export type Outcome = { readonly answer: StoredAnswer } | { readonly error: StoredError };

/** In the place of a project's id: a lab file that is played is in none. */
export const LAB_FILES = "lab-files";

/** A user's runs have the user in their keys, so a stranger's id names none. */
export const runFolder = ({ caller }: Access, projectId: string, runId: string): string =>
  `runs/${Buffer.from(caller.name).toString("base64url")}/${projectId}/${runId}`;

export const saveRequest = (folder: string, request: StoredRequest): Promise<void> =>
  putJson(`${folder}/request.json`, request);

export const readRequest = (folder: string): Promise<StoredRequest | undefined> =>
  readJson(`${folder}/request.json`);

export const saveProgress = (folder: string, progress: Progress): Promise<void> =>
  putJson(`${folder}/progress.json`, progress);

export const readProgress = (folder: string): Promise<Progress | undefined> =>
  readJson(`${folder}/progress.json`);

export const saveOutcome = (folder: string, outcome: Outcome): Promise<void> =>
  putJson(`${folder}/outcome.json`, outcome);

export const readOutcome = (folder: string): Promise<Outcome | undefined> =>
  readJson(`${folder}/outcome.json`);

const putJson = (key: string, value: object): Promise<void> =>
  putObject(key, new TextEncoder().encode(JSON.stringify(value)), "application/json");

async function readJson<T>(key: string): Promise<T | undefined> {
  const bytes = await readObject(key);
  return bytes && JSON.parse(new TextDecoder().decode(bytes));
}
