/** Writes the result with each reporter. A reporter's module is loaded when it is used. */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Surroundings } from "../../command-line.ts";
import { onFile } from "../../file-error.ts";
import type { TestResult } from "../result.ts";
import type { ReporterTarget } from "../settings.ts";

export interface RunTimes {
  readonly startedAt: Date;
  readonly wallMs: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

export async function report(
  result: TestResult,
  targets: readonly ReporterTarget[],
  surroundings: Surroundings,
  times: RunTimes,
  environment: Environment = process.env,
): Promise<void> {
  for (const target of targets) {
    const text = await format(result, target, surroundings, times, environment);
    if (target.file === undefined) surroundings.stdout.write(text);
    else write(target.file, text);
    const summary = environment.GITHUB_STEP_SUMMARY;
    if (target.name === "github" && summary) {
      const { formatSummary } = await import("./github.ts");
      onFile("write", summary, () => appendFileSync(summary, formatSummary(result)));
    }
  }
}

async function format(
  result: TestResult,
  { name, file }: ReporterTarget,
  { stdout }: Surroundings,
  { startedAt, wallMs }: RunTimes,
  { NO_COLOR }: Environment,
): Promise<string> {
  switch (name) {
    case "pretty": {
      const { formatPretty } = await import("./pretty.ts");
      const { makeColours } = await import("./colours.ts");
      return formatPretty(
        result,
        makeColours(file === undefined && stdout.isTTY === true && !NO_COLOR),
        wallMs,
      );
    }
    case "junit":
      return (await import("./junit.ts")).formatJunit(result, startedAt);
    case "json":
      return (await import("./json.ts")).formatJson(result);
    case "tap":
      return (await import("./tap.ts")).formatTap(result);
    case "github":
      return (await import("./github.ts")).formatAnnotations(result);
  }
}

const write = (file: string, text: string): void =>
  onFile("write", file, () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  });
