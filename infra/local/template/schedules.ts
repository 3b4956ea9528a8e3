/** Reads the rules of EventBridge. */
import type { CfnResources } from "../intrinsics.ts";
import { LocalProblem } from "../problem.ts";
import { type FindFunction, ofType } from "./resources.ts";

/** A function that EventBridge calls at a fixed rate. */
export interface ScheduleDefinition {
  /** Logical id. */
  readonly functionId: string;
  readonly everyMs: number;
}

const RATE = /^rate\((\d+) (minute|hour|day)s?\)$/;
const UNITS_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

export function readSchedules(resources: CfnResources, findFunction: FindFunction): ScheduleDefinition[] {
  return ofType(resources, "AWS::Events::Rule").flatMap(([id, { Properties = {} }]) => {
    const { ScheduleExpression, Targets = [] } = Properties as {
      ScheduleExpression?: string;
      Targets?: { Arn?: unknown }[];
    };
    const [, amount, unit] = RATE.exec(ScheduleExpression ?? "") ?? [];
    if (amount === undefined) {
      throw new LocalProblem(
        `${id}.ScheduleExpression: only rate(...) runs locally, not ${ScheduleExpression}`,
      );
    }
    const everyMs = Number(amount) * UNITS_MS[unit!]!;
    return Targets.map(({ Arn }) => ({ functionId: findFunction(Arn, `${id}.Targets`), everyMs }));
  });
}
