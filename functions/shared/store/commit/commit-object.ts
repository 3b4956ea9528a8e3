/** The object that holds the changes of a large commit until they are made. */
import { gunzipSync, gzipSync } from "node:zlib";
import { discardObjects, putObject, readObject } from "../base/objects.ts";
import { commitKey } from "../lab/capture-objects.ts";
import type { Change } from "./run-changes.ts";

/** Identifies a large commit. */
export interface CommitPlace {
  readonly project_id: string;
  /** Unique for each attempt, so two attempts at one commit never share an object. */
  readonly attempt: string;
}

export interface Commit {
  /** The value of the project's run counter once it is committed. */
  readonly run: number;
  readonly changes: readonly Change[];
}

const keyOf = ({ project_id, attempt }: CommitPlace): string => commitKey(project_id, attempt);

/** @returns the object's key. */
export async function writeCommit(place: CommitPlace, commit: Commit): Promise<string> {
  await putObject(keyOf(place), gzipSync(JSON.stringify(commit)), "application/gzip");
  return keyOf(place);
}

/** @returns undefined when the changes are made and the object is deleted. */
export async function readCommit(place: CommitPlace): Promise<Commit | undefined> {
  const bytes = await readObject(keyOf(place));
  return bytes && JSON.parse(gunzipSync(bytes).toString());
}

export const discardCommit = (place: CommitPlace): Promise<void> => discardObjects([keyOf(place)]);
