/** Plays one batch of the cases of a sweep. The state machine calls it: infra/lab-sweeps.ts. */
import type { LabReport } from "@wirelab/lab/report/report";
import { formatFailure } from "@wirelab/lab/sweep/failures";
import { LAB_SWEEPS } from "../shared/edge/figures.ts";
import { labLimits } from "../shared/run/limits.ts";
import { ProcessorTime } from "../shared/run/processor-time.ts";
import type { FailingCase } from "../shared/schemas/lab-sweep.ts";
import { BATCH_CASES, type BatchResult, readInput, saveResult } from "./stored-sweep.ts";
import type { Case } from "./sweep-cases.ts";

const MOST_VERDICTS = 5;
/** `got` may hold the output of a console. */
const MOST_CHARACTERS = 500;

interface BatchEvent {
  /** Where the sweep is stored. */
  readonly sweep: string;
  /** From 0. */
  readonly batch: number;
}

export async function handler({ sweep, batch }: BatchEvent): Promise<void> {
  // Loaded on first use, because most of it is the engine.
  const { applyFailures, DEFAULT_LIMITS, makeCases, readModel, runLab } = await import("./lab.ts");
  const input = await readInput(sweep);
  if (input === undefined) throw new Error(`There is no sweep at ${sweep}`);
  const file = readModel(new TextEncoder().encode(input.file));
  const { cpuSeconds, ...limits } = labLimits({ ...DEFAULT_LIMITS, ...file.limits });
  const cases = makeCases(file, input.settings).slice(batch * BATCH_CASES, (batch + 1) * BATCH_CASES);
  const played = cases.map((each) => {
    const model = applyFailures({ ...file, limits, seed: each.seed }, each.failures);
    const computing = new ProcessorTime();
    const mostSeconds = Math.min(cpuSeconds, LAB_SWEEPS.caseCpuSeconds);
    const report = computing.during(() =>
      runLab(model, { isOutOfTime: () => computing.seconds > mostSeconds }),
    );
    return { each, report };
  });
  await saveResult(sweep, batch, toResult(played));
}

type Played = { readonly each: Case; readonly report: LabReport };

function toResult(played: readonly Played[]): BatchResult {
  const count = (status: LabReport["status"]) =>
    played.filter(({ report }) => report.status === status).length;
  return {
    passed: count("passed"),
    failed: count("failed"),
    undecided: count("undecided"),
    failing: played.flatMap(toFailing),
  };
}

function toFailing({ each, report: { status, verdicts } }: Played): FailingCase[] {
  if (status === "passed") return [];
  const shown = verdicts.filter((verdict) => verdict.status !== "passed").slice(0, MOST_VERDICTS);
  return [
    {
      failures: each.failures.map(formatFailure),
      seed: each.seed,
      status,
      verdicts: shown.map(({ name, status, expected, got }) => ({
        name,
        status,
        expected: expected.slice(0, MOST_CHARACTERS),
        got: got.slice(0, MOST_CHARACTERS),
      })),
    },
  ];
}
