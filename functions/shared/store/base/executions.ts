/** Executions of the stack's state machines: that of sweeps (infra/lab-sweeps.ts), and that of runs with guests (infra/guest-runs.ts). */
import { requiredEnv } from "./env.ts";
import { unavailable } from "./store-faults.ts";

const load = () => import("./step-functions.ts");

/** The variable that has the state machine. */
type Machine = "SWEEP_MACHINE" | "GUEST_MACHINE";

/** An execution has the name of its sweep or run, so repeating a start with the same input begins nothing twice. */
const arnOf = (name: string, machine: Machine): string =>
  `${requiredEnv(machine).replace(":stateMachine:", ":execution:")}:${name}`;

/** `absent`: it never started, or has not started yet, or AWS has forgotten it. */
export type ExecutionState = "running" | "finished" | "failed" | "timed-out" | "cancelled" | "absent";

export async function startExecution(
  name: string,
  input: object,
  machine: Machine = "SWEEP_MACHINE",
): Promise<void> {
  const { stepFunctions, StartExecutionCommand } = await load();
  const stateMachineArn = requiredEnv(machine);
  await reporting(
    stepFunctions.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) })),
  );
}

export async function executionState(
  name: string,
  machine: Machine = "SWEEP_MACHINE",
): Promise<ExecutionState> {
  const { stepFunctions, DescribeExecutionCommand, ExecutionDoesNotExist } = await load();
  try {
    const { status } = await stepFunctions.send(
      new DescribeExecutionCommand({ executionArn: arnOf(name, machine) }),
    );
    if (status === "RUNNING" || status === "PENDING_REDRIVE") return "running";
    if (status === "SUCCEEDED") return "finished";
    if (status === "TIMED_OUT") return "timed-out";
    return status === "ABORTED" ? "cancelled" : "failed";
  } catch (error) {
    if (error instanceof ExecutionDoesNotExist) return "absent";
    throw unavailable(error);
  }
}

/** Stopping an execution that has ended changes nothing. */
export async function stopExecution(name: string): Promise<void> {
  const { stepFunctions, StopExecutionCommand, ExecutionDoesNotExist } = await load();
  const stopping = stepFunctions.send(
    new StopExecutionCommand({ executionArn: arnOf(name, "SWEEP_MACHINE") }),
  );
  await reporting(
    stopping.catch((error: unknown) => {
      if (!(error instanceof ExecutionDoesNotExist)) throw error;
    }),
  );
}

async function reporting(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    throw unavailable(error);
  }
}
