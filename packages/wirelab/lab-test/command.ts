/** `wirelab test`: plays lab files in virtual time, and reports what holds. */
import type { Surroundings } from "../command-line.ts";
import { describeFailure } from "../failure.ts";
import { findFiles } from "./find-files.ts";
import { playLabs, type ReadLab, readLab } from "./play-labs.ts";
import { report } from "./reporters/index.ts";
import { EXIT, exitCodeOf, type TestResult } from "./result.ts";
import { parseSettings, type TestSettings } from "./settings.ts";

export { help } from "./help.ts";

export async function run(args: string[], surroundings: Surroundings): Promise<number> {
  const settings = parseSettings(args);
  try {
    return await testOnce(settings, surroundings);
  } catch (error) {
    // Data that cannot be used leave the question open: the exit code is not that of a failed expectation.
    const { message } = describeFailure(error, "test");
    surroundings.stderr.write(message);
    return EXIT.undecided;
  }
}

async function testOnce(settings: TestSettings, surroundings: Surroundings): Promise<number> {
  const startedAt = new Date();
  const startMs = performance.now();
  const labs = findFiles(settings.patterns).map((file) => readLab(file, settings));
  const played = await playLabs(labs, { ...settings, onProgress: () => {} });
  const updated = settings.isUpdating ? await update(labs, played, surroundings) : played;
  const result = await explainFailures(labs, updated, settings);
  const wallMs = performance.now() - startMs;
  await report(result, settings.reporters, surroundings, { startedAt, wallMs });
  return exitCodeOf(result);
}

async function update(
  labs: readonly ReadLab[],
  result: TestResult,
  { stderr }: Surroundings,
): Promise<TestResult> {
  const { updateDigests } = await import("./update-digests.ts");
  return updateDigests(labs, result, (file) => void stderr.write(`wrote the digest to ${file}\n`));
}

async function explainFailures(
  labs: readonly ReadLab[],
  result: TestResult,
  { captures }: TestSettings,
): Promise<TestResult> {
  if (exitCodeOf(result) === EXIT.passed) return result;
  const { addFindings } = await import("./findings.ts");
  return addFindings(labs, result, captures);
}
