/** Reads the state machines of Step Functions. */
import type { CfnResources, Resolve } from "../intrinsics.ts";
import { LocalProblem } from "../problem.ts";
import { ofType } from "./resources.ts";

/**
 * A state machine that calls one function: once with the execution's input, as infra/guest-runs.ts declares it, or for each item of a
 * list. With a choice, it does so with another function for some inputs, as infra/lab-sweeps.ts declares it.
 */
export interface StateMachineDefinition extends CallDefinition {
  readonly name: string;
  readonly timeoutMs: number;
  readonly choice?: ChoiceDefinition | undefined;
}

export interface CallDefinition {
  /** Logical id. */
  readonly functionId: string;
  /** When a call is repeated; the first that names an error decides. */
  readonly retry?: readonly RetryDefinition[] | undefined;
  /** After a failure, the function is called again, with the error at this name of the input. */
  readonly failureName?: string | undefined;
  readonly map?: MapDefinition | undefined;
}

/** A retrier of the Amazon States Language, with the fields that the stack's machines use. */
export interface RetryDefinition {
  readonly ErrorEquals: readonly string[];
  readonly IntervalSeconds: number;
  readonly BackoffRate: number;
  readonly MaxAttempts: number;
  readonly MaxDelaySeconds?: number;
  readonly JitterStrategy?: "FULL" | "NONE";
}

interface ChoiceDefinition {
  /** What is called instead if the input has this name. */
  readonly presentName: string;
  readonly call: CallDefinition;
}

export interface MapDefinition {
  readonly maxConcurrency: number;
  readonly itemsPath: string;
  readonly itemSelector: Readonly<Record<string, string>>;
}

interface MachineDefinition {
  readonly StartAt: string;
  readonly TimeoutSeconds: number;
  readonly States: Readonly<Record<string, State>>;
}

type State = ChoiceState | MapState | TaskState | FailState;

interface ChoiceState {
  readonly Type: "Choice";
  readonly End?: undefined;
  readonly Choices: readonly [{ readonly Variable: string; readonly IsPresent: true; readonly Next: string }];
  readonly Default: string;
}

interface TaskState {
  readonly Type: "Task";
  readonly End?: boolean;
  readonly Resource: string;
  readonly Retry?: readonly RetryDefinition[];
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
    refuseDuplicateNames(States, where);
    const read = (state: string) => readCall(States[state], { states: States, names, where });
    const first = States[StartAt];
    const machine = { name: names[id]!, timeoutMs: TimeoutSeconds * 1000 };
    if (first?.Type !== "Choice") return { ...machine, ...read(StartAt) };
    const [{ Variable, Next }] = first.Choices;
    const presentName = Variable.replace(/^\$\./, "");
    return { ...machine, ...read(first.Default), choice: { presentName, call: read(Next) } };
  });
}

/** Step Functions requires names that are unique in the whole machine, also in different maps. */
function refuseDuplicateNames(states: MachineDefinition["States"], where: string): void {
  const known = new Set<string>();
  for (const name of namesIn(states)) {
    if (known.has(name)) throw new LocalProblem(`${where}: two states have the name ${name}`);
    known.add(name);
  }
}

const namesIn = (states: MachineDefinition["States"]): string[] =>
  Object.entries(states).flatMap(([name, state]) => [
    name,
    ...(state.Type === "Map" && state.ItemProcessor ? namesIn(state.ItemProcessor.States) : []),
  ]);

interface Machine {
  readonly states: MachineDefinition["States"];
  readonly names: Readonly<Record<string, string>>;
  /** For a problem's message. */
  readonly where: string;
}

function readCall(state: State | undefined, { states, names, where }: Machine): CallDefinition {
  const map = state?.Type === "Map" ? state : undefined;
  const task = state?.Type === "Map" ? state.ItemProcessor?.States[state.ItemProcessor.StartAt] : state;
  if (state?.End !== true || task?.Type !== "Task")
    throw new LocalProblem(
      `${where}: only one Task, a Map with one, or a Choice between two of these, runs locally`,
    );
  const called = task.Resource.split(":").at(-1);
  const functionId = Object.keys(names).find((each) => names[each] === called);
  if (functionId === undefined) throw new LocalProblem(`${where}: ${task.Resource} is no function`);
  return {
    functionId,
    retry: task.Retry,
    failureName: failureNameOf(task, states, where),
    map: map && {
      maxConcurrency: map.MaxConcurrency,
      itemsPath: map.ItemsPath,
      itemSelector: map.ItemSelector,
    },
  };
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
