/** A sweep in the bucket: what is played, and the outcome of each batch. The lifecycle rule deletes both: infra/bucket.ts. */
import type { FailingCase } from "../schemas/lab-sweep.ts";
import { listObjects, putObject, readObject } from "../store/base/objects.ts";
import type { CaseSettings } from "./sweep-cases.ts";

/** One call of the function that plays cases: at most 25 times LAB_SWEEPS.caseCpuSeconds. */
export const BATCH_CASES = 25;

/** One call of the function `guests`: a case with Linux nodes may take all its time. */
export const GUEST_BATCH_CASES = 1;

/** What a state machine calls the function with that plays a batch: infra/lab-sweeps.ts. */
export interface BatchEvent {
  /** Where the sweep is stored. */
  readonly sweep: string;
  /** From 0. */
  readonly batch: number;
}

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

/** @throws Error when there is no such sweep. */
export async function readBatchInput({ sweep }: BatchEvent): Promise<SweepInput> {
  const input = await readInput(sweep);
  if (input === undefined) throw new Error(`There is no sweep at ${sweep}`);
  return input;
}

export const readInput = (folder: string): Promise<SweepInput | undefined> =>
  readJson<SweepInput>(`${folder}/input.json`);

/** A repeated batch writes the same bytes again. */
export const saveResult = ({ sweep, batch }: BatchEvent, result: BatchResult): Promise<void> =>
  putJson(`${sweep}/results/${String(batch).padStart(4, "0")}.json`, result);

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
