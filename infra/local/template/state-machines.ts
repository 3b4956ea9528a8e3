/** Reads the state machines of Step Functions. */
import type { CfnResources, Resolve } from "../intrinsics.ts";
import { LocalProblem } from "../problem.ts";
import { ofType } from "./resources.ts";

/**
 * A state machine that calls one function: once with the execution's input, as infra/guest-runs.ts declares it, or for each item of a
 * list, as infra/lab-sweeps.ts does.
 */
export interface StateMachineDefinition {
  readonly name: string;
  /** Logical id. */
  readonly functionId: string;
  readonly timeoutMs: number;
  /** After a failure, the function is called again, with the error at this name of the input. */
  readonly failureName?: string | undefined;
  readonly map?: MapDefinition | undefined;
}

export interface MapDefinition {
  readonly maxConcurrency: number;
  readonly itemsPath: string;
  readonly itemSelector: Readonly<Record<string, string>>;
}

interface MachineDefinition {
  readonly StartAt: string;
  readonly TimeoutSeconds: number;
  readonly States: Readonly<Record<string, MapState | TaskState | FailState>>;
}

interface TaskState {
  readonly Type: "Task";
  readonly End?: boolean;
  readonly Resource: string;
  readonly Catch?: readonly [{ readonly ResultPath: string; readonly Next: string }];
  readonly Next?: string;
}

interface FailState {
  readonly Type: "Fail";
  readonly End?: undefined;
}

interface MapState {
  readonly Type: "Map";
  readonly End?: boolean;
  readonly ItemsPath: string;
  readonly ItemSelector: Readonly<Record<string, string>>;
  readonly MaxConcurrency: number;
  readonly ItemProcessor: {
    readonly StartAt: string;
    readonly States: Readonly<Record<string, TaskState>>;
  };
}

export function readStateMachines(
  resources: CfnResources,
  names: Readonly<Record<string, string>>,
  resolve: Resolve,
): StateMachineDefinition[] {
  return ofType(resources, "AWS::StepFunctions::StateMachine").map(([id, { Properties = {} }]) => {
    const where = `${id}.DefinitionString`;
    const text = String(resolve(Properties.DefinitionString, where));
    const { StartAt, States, TimeoutSeconds } = JSON.parse(text) as MachineDefinition;
    const first = States[StartAt];
    const map = first?.Type === "Map" ? first : undefined;
    const task = first?.Type === "Map" ? first.ItemProcessor?.States[first.ItemProcessor.StartAt] : first;
    if (first?.End !== true || task?.Type !== "Task")
      throw new LocalProblem(`${where}: only one Task, or a Map with one, runs locally`);
    const called = task.Resource.split(":").at(-1);
    const functionId = Object.keys(names).find((each) => names[each] === called);
    if (functionId === undefined) throw new LocalProblem(`${where}: ${task.Resource} is no function`);
    return {
      name: names[id]!,
      functionId,
      timeoutMs: TimeoutSeconds * 1000,
      failureName: failureNameOf(task, States, where),
      map: map && {
        maxConcurrency: map.MaxConcurrency,
        itemsPath: map.ItemsPath,
        itemSelector: map.ItemSelector,
      },
    };
  });
}

/** Returns undefined for a task without another one for its failures. */
function failureNameOf(
  { Resource, Catch }: TaskState,
  states: MachineDefinition["States"],
  where: string,
): string | undefined {
  if (Catch === undefined) return undefined;
  const [{ ResultPath, Next }] = Catch;
  const after = states[Next];
  if (after?.Type !== "Task" || after.Resource !== Resource || states[after.Next ?? ""]?.Type !== "Fail")
    throw new LocalProblem(
      `${where}: only a failure that goes to the same function, and then fails, runs locally`,
    );
  return ResultPath.replace(/^\$\./, "");
}
