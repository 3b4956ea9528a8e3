/** Opens a copy of a data folder that test/fixtures has. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import {
  type LocalStack,
  type LocalStackOptions,
  startLocalStack,
} from "../../../infra/local/local-stack.ts";
import { FEW_WORKERS } from "../stack/in-memory.ts";
import { PATIENT } from "../stack/patient.ts";
import type { Made, MadePair } from "./fill.ts";
import type { Reading } from "./readings.ts";

export const FIXTURES = fileURLToPath(new URL("../../fixtures", import.meta.url));

/** What the maker knows of a folder, beside what is in it. */
export interface FolderRecord {
  readonly passwords: Readonly<Record<string, string>>;
  readonly made: Made;
  readonly withoutUsers: MadePair;
  readonly readings: readonly Reading[];
}

/** @param name such as `data-688afe86`. */
export const readRecord = (name: string): FolderRecord =>
  JSON.parse(gunzipSync(readFileSync(join(FIXTURES, `${name}.json.gz`))).toString());

/** @returns the service on a copy of the folder. Its stop deletes the copy. */
export async function openCopy(archive: string, options: LocalStackOptions): Promise<LocalStack> {
  const dataDir = mkdtempSync(join(tmpdir(), "wirelab-data-"));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  try {
    execFileSync("tar", ["-xzf", archive, "-C", dataDir]);
    // Schedules would delete what has expired since the folder was made.
    const stack = await startLocalStack({
      workers: FEW_WORKERS,
      environment: PATIENT,
      ...options,
      dataDir,
      port: 0,
      quiet: true,
      schedules: false,
    });
    return { ...stack, stop: () => stack.stop().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}
