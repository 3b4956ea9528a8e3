/**
 * The part of Step Functions that the functions use: starts, describes and stops executions of a state machine that is one function, which
 * may be called again after a failure, or one Map with one function, or a Choice between two of these. Calls are repeated as the machine's
 * retriers say. The pool's workers play the items, as many at once as the machine has
 * processors. Executions are kept in memory: after a restart they do not exist.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { EmbeddedServer } from "./embedded-server.ts";
import type { LambdaPool } from "./lambda-pool.ts";
import type {
  CallDefinition,
  MapDefinition,
  RetryDefinition,
  StateMachineDefinition,
} from "./template/state-machines.ts";

interface Execution {
  readonly input: string;
  readonly startDate: number;
  readonly stopping: AbortController;
  status: "RUNNING" | "SUCCEEDED" | "FAILED" | "ABORTED" | "TIMED_OUT";
}

type Reply = readonly [status: number, body: object];

const UNKNOWN_MACHINE: Reply = [400, { __type: "StateMachineDoesNotExist" }];
const UNKNOWN_EXECUTION: Reply = [400, { __type: "ExecutionDoesNotExist" }];

/** Serves StartExecution, DescribeExecution and StopExecution in the AWS JSON 1.0 protocol. */
export async function startStateMachines(
  host: string,
  machines: readonly StateMachineDefinition[],
  pool: () => Pick<LambdaPool, "invoke">,
  wait: Wait = waitFor,
): Promise<EmbeddedServer> {
  const executions = new Map<string, Execution>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const parameters = JSON.parse((await text(request)) || "{}") as Parameters;
    const operation = String(request.headers["x-amz-target"]).replace("AWSStepFunctions.", "");
    const [status, body] = reply(operation, parameters, { executions, machines, pool, wait });
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    // A client that disconnects, or sends another protocol, must not end the process.
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    endpoint: `http://${host}:${(server.address() as AddressInfo).port}`,
    async stop() {
      for (const { stopping } of executions.values()) stopping.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Resolves after so many seconds. @throws when the execution ends before. */
type Wait = (seconds: number, signal: AbortSignal) => Promise<unknown>;
const waitFor: Wait = (seconds, signal) => sleep(seconds * 1000, undefined, { signal });

interface Parameters {
  readonly stateMachineArn?: string;
  readonly executionArn?: string;
  readonly name?: string;
  readonly input?: string;
}

interface State {
  readonly executions: Map<string, Execution>;
  readonly machines: readonly StateMachineDefinition[];
  readonly pool: () => Pick<LambdaPool, "invoke">;
  readonly wait: Wait;
}

function reply(operation: string, parameters: Parameters, state: State): Reply {
  if (operation === "StartExecution") return start(parameters, state);
  const execution = state.executions.get(parameters.executionArn ?? "");
  if (execution === undefined) return UNKNOWN_EXECUTION;
  switch (operation) {
    case "DescribeExecution": {
      const { status, startDate } = execution;
      return [200, { executionArn: parameters.executionArn, status, startDate }];
    }
    case "StopExecution":
      end(execution, "ABORTED");
      return [200, { stopDate: Date.now() / 1000 }];
    default:
      return [400, { __type: "UnknownOperationException" }];
  }
}

function start(
  { stateMachineArn, name = randomUUID(), input = "{}" }: Parameters,
  { executions, machines, pool, wait }: State,
): Reply {
  const machine = machines.find(({ name }) => name === stateMachineArn);
  if (machine === undefined) return UNKNOWN_MACHINE;
  const executionArn = `${machine.name}:${name}`;
  const known = executions.get(executionArn);
  if (known && (known.input !== input || known.status !== "RUNNING"))
    return [400, { __type: "ExecutionAlreadyExists" }];
  if (known) return [200, { executionArn, startDate: known.startDate }];
  const startDate = Date.now() / 1000;
  const execution: Execution = { input, startDate, stopping: new AbortController(), status: "RUNNING" };
  executions.set(executionArn, execution);
  const timer = setTimeout(() => end(execution, "TIMED_OUT"), machine.timeoutMs).unref();
  const call = choose(machine, JSON.parse(input));
  void playAll(call, execution, pool(), wait)
    .catch((error: unknown) => reportFailure(call, execution, pool(), error))
    .then(
      () => end(execution, "SUCCEEDED"),
      () => end(execution, "FAILED"),
    )
    .finally(() => clearTimeout(timer));
  return [200, { executionArn, startDate }];
}

/** The first end holds. */
function end(execution: Execution, status: Execution["status"]): void {
  if (execution.status !== "RUNNING") return;
  execution.status = status;
  execution.stopping.abort();
}

const choose = ({ choice, ...otherwise }: StateMachineDefinition, input: object): CallDefinition =>
  choice && choice.presentName in input ? choice.call : otherwise;

async function playAll(
  { functionId, map, retry }: CallDefinition,
  { input, stopping: { signal } }: Execution,
  pool: Pick<LambdaPool, "invoke">,
  wait: Wait,
): Promise<void> {
  const events = map ? eventsOf(map, JSON.parse(input)) : [JSON.parse(input)];
  const atOnce = Math.min(map?.maxConcurrency ?? 1, availableParallelism());
  const play = async () => {
    for (let event = events.shift(); event !== undefined && !signal.aborted; event = events.shift())
      await repeating(retry, signal, wait, () =>
        pool.invoke(functionId, randomUUID(), JSON.stringify(event), signal),
      );
  };
  await Promise.all(Array.from({ length: atOnce }, play));
}

/** Calls until it succeeds, or no retrier repeats it. */
async function repeating(
  retriers: readonly RetryDefinition[] = [],
  signal: AbortSignal,
  wait: Wait,
  call: () => Promise<unknown>,
): Promise<void> {
  const attempts = new Map<RetryDefinition, number>();
  for (;;) {
    try {
      await call();
      return;
    } catch (error) {
      const retrier = retriers.find(({ ErrorEquals }) => isOneOf(ErrorEquals, error as Error));
      const attempt = retrier === undefined ? 0 : (attempts.get(retrier) ?? 0);
      if (retrier === undefined || attempt === retrier.MaxAttempts || signal.aborted) throw error;
      attempts.set(retrier, attempt + 1);
      await wait(secondsBefore(retrier, attempt), signal);
    }
  }
}

const isOneOf = (names: readonly string[], { name }: Error): boolean =>
  names.includes("States.ALL") || names.includes(name);

function secondsBefore(retrier: RetryDefinition, attempt: number): number {
  const { IntervalSeconds, BackoffRate, MaxDelaySeconds = Infinity, JitterStrategy } = retrier;
  const longest = Math.min(MaxDelaySeconds, IntervalSeconds * BackoffRate ** attempt);
  return JitterStrategy === "FULL" ? Math.random() * longest : longest;
}

/** Calls the function again if the machine does so, and throws the error of the first call. */
async function reportFailure(
  { functionId, failureName }: CallDefinition,
  { input, stopping: { signal } }: Execution,
  pool: Pick<LambdaPool, "invoke">,
  error: unknown,
): Promise<never> {
  if (failureName !== undefined && !signal.aborted) {
    const failure = { Error: (error as Error).name, Cause: (error as Error).message };
    const event = { ...JSON.parse(input), [failureName]: failure };
    await pool.invoke(functionId, randomUUID(), JSON.stringify(event), signal);
  }
  throw error;
}

/** Applies the item selector, whose values are paths of one name, or the item. */
function eventsOf({ itemsPath, itemSelector }: MapDefinition, input: Record<string, unknown>): object[] {
  const read = (path: string) => input[path.replace(/^\$\./, "")];
  return (read(itemsPath) as unknown[]).map((item) =>
    Object.fromEntries(
      Object.entries(itemSelector).map(([name, path]) => [
        name.replace(/\.\$$/, ""),
        path === "$$.Map.Item.Value" ? item : read(path),
      ]),
    ),
  );
}
