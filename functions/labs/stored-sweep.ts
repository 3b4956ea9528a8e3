/** A sweep in the bucket: what is played, and the outcome of each batch. The lifecycle rule deletes both: infra/bucket.ts. */
import type { FailingCase } from "../shared/schemas/lab-sweep.ts";
import { listObjects, putObject, readObject } from "../shared/store/base/objects.ts";
import type { CaseSettings } from "./sweep-cases.ts";

/** One call of the function that plays cases: at most 25 times LAB_SWEEPS.caseCpuSeconds. */
export const BATCH_CASES = 25;

/** Batches of a sweep are fewer than one page of a listing. */
const PAGE = 1_000;

export interface SweepInput {
  /** The lab file. */
  readonly file: string;
  readonly settings: CaseSettings;
  readonly cases: number;
}

export interface BatchResult {
  readonly passed: number;
  readonly failed: number;
  readonly undecided: number;
  readonly failing: readonly FailingCase[];
}

/** A user's sweeps have the user in their keys, so a stranger's id names none. */
export const sweepFolder = (user: string, id: string): string =>
  `sweeps/${Buffer.from(user).toString("base64url")}/${id}`;

export const saveInput = (folder: string, input: SweepInput): Promise<void> =>
  putJson(`${folder}/input.json`, input);

export const readInput = (folder: string): Promise<SweepInput | undefined> =>
  readJson<SweepInput>(`${folder}/input.json`);

/** @param batch from 0. A repeated batch writes the same bytes again. */
export const saveResult = (folder: string, batch: number, result: BatchResult): Promise<void> =>
  putJson(`${folder}/results/${String(batch).padStart(4, "0")}.json`, result);

/** Returns the outcomes of the batches that have been played, in order. */
export async function readResults(folder: string): Promise<BatchResult[]> {
  const { objects } = await listObjects(`${folder}/results/`, PAGE);
  const results = await Promise.all(objects.map(({ key }) => readJson<BatchResult>(key)));
  return results.flatMap((result) => result ?? []);
}

const putJson = (key: string, value: object): Promise<void> =>
  putObject(key, new TextEncoder().encode(JSON.stringify(value)), "application/json");

async function readJson<T>(key: string): Promise<T | undefined> {
  const bytes = await readObject(key);
  return bytes && JSON.parse(new TextDecoder().decode(bytes));
}
