/** `wirelab test`: plays lab files in virtual time, and reports what holds. */
import { once } from "node:events";
import type { Surroundings } from "../command-line.ts";
import { describeFailure } from "../failure.ts";
import { findFiles } from "./find-files.ts";
import { playLabs, readLab } from "./play-labs.ts";
import { makeProgressBar } from "./progress-bar.ts";
import { report } from "./reporters/index.ts";
import { EXIT, exitCodeOf, type TestResult } from "./result.ts";
import { parseSettings, type TestSettings } from "./settings.ts";
import type { ReadLab } from "./work.ts";

export { help } from "./help.ts";

export async function run(args: string[], surroundings: Surroundings): Promise<number> {
  const settings = parseSettings(args);
  const code = await test(settings, settings.patterns, surroundings);
  if (settings.isWatching) await watchUntilInterrupted(settings, surroundings);
  return code;
}

/** Data that cannot be used leave the question open: the exit code is not that of a failed expectation. */
async function test(
  settings: TestSettings,
  patterns: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  try {
    return await testOnce(settings, findFiles(patterns), surroundings);
  } catch (error) {
    const { message } = describeFailure(error, "test");
    surroundings.stderr.write(message);
    return EXIT.undecided;
  }
}

async function testOnce(
  settings: TestSettings,
  files: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const startedAt = new Date();
  const startMs = performance.now();
  const labs = files.map((file) => readLab(file, settings));
  const bar = makeProgressBar(surroundings);
  const played = await playLabs(labs, { ...settings, onProgress: bar.show }).finally(bar.end);
  const updated = settings.isUpdating ? await update(labs, played, surroundings) : played;
  const result = await explainFailures(labs, updated, settings);
  const wallMs = performance.now() - startMs;
  await report(result, settings.reporters, surroundings, { startedAt, wallMs });
  return exitCodeOf(result);
}

async function watchUntilInterrupted(settings: TestSettings, surroundings: Surroundings): Promise<void> {
  const { watchFiles } = await import("./watch.ts");
  const files = findFiles(settings.patterns);
  let running = Promise.resolve();
  surroundings.stderr.write(`watching ${files.length} files; Ctrl-C ends\n`);
  const stop = watchFiles(files, (changed) => {
    running = running.then(async () => void (await test(settings, changed, surroundings)));
  });
  await once(process, "SIGINT");
  stop();
  await running;
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
  { captures, url }: TestSettings,
): Promise<TestResult> {
  if (exitCodeOf(result) === EXIT.passed) return result;
  const { addFindings } = await import("./findings.ts");
  return addFindings(labs, result, { captures, url });
}
