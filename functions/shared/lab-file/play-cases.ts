/** Plays cases of a sweep. */
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { DEFAULT_LIMITS } from "@wirelab/lab/play/run-stage";
import type { LabReport } from "@wirelab/lab/report/report";
import { runLab } from "@wirelab/lab/run-lab";
import { applyFailures, formatFailure } from "@wirelab/lab/sweep/failures";
import { labLimits } from "../run/limits.ts";
import { ProcessorTime } from "../run/processor-time.ts";
import type { FailingCase } from "../schemas/lab-sweep.ts";
import type { BatchResult } from "./stored-sweep.ts";
import type { Case } from "./sweep-cases.ts";

const MOST_VERDICTS = 5;
/** `got` may hold the output of a console. */
const MOST_CHARACTERS = 500;

interface CaseBounds {
  /** Processor time of a case, if it is below the limit of the function. */
  readonly cpuSeconds?: number;
  /** A case that has not ended by then is undecided. */
  readonly hasNoTime?: () => boolean;
}

type Played = { readonly each: Case; readonly report: LabReport };

export function playCases(
  file: LabModel,
  cases: readonly Case[],
  { cpuSeconds: most = Number.POSITIVE_INFINITY, hasNoTime = () => false }: CaseBounds,
): BatchResult {
  const { cpuSeconds, ...limits } = labLimits({ ...DEFAULT_LIMITS, ...file.limits });
  const mostSeconds = Math.min(cpuSeconds, most);
  const played = cases.map((each) => {
    const model = applyFailures({ ...file, limits, seed: each.seed }, each.failures);
    const computing = new ProcessorTime();
    const isOutOfTime = () => computing.seconds > mostSeconds || hasNoTime();
    return { each, report: computing.during(() => runLab(model, { isOutOfTime })) };
  });
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
