/** Runs of labs with Linux nodes: the function that runs them, and a state machine that calls it and knows whether it has failed. */
import { Stack } from "aws-cdk-lib";
import { Policy, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { CfnStateMachine } from "aws-cdk-lib/aws-stepfunctions";
import type { Construct } from "constructs";
import { ACCESS } from "./access.ts";
import type { DataBucket } from "./bucket.ts";
import type { Settings } from "./chosen-settings.ts";
import { acknowledgeMachine, executionsOf, failedExecutionsOf } from "./executions.ts";
import { addGuestFiles } from "./guest-files.ts";
import type { Helper } from "./helper.ts";
import { ServiceFunction } from "./service-function.ts";
import { GUEST_KEYS, QUOTA_KEYS, RUN_KEYS } from "./settings.ts";
import type { StateTable } from "./table.ts";

/** Processor time of the simulation without the guests, which compute in threads of their own. */
const CPU_SECONDS = 600;

/** For the report of a failure. */
const REPORT_SECONDS = 120;

/**
 * Errors with which Lambda has not called the function: too many calls run at once, or, in the helper machine's network, it has no interface.
 * After other errors of Lambda, such as Lambda.ServiceException, the function may have run, so a second call could be a second run.
 */
const NOT_STARTED = [
  "Lambda.TooManyRequestsException",
  "Lambda.EC2ThrottledException",
  "Lambda.ENILimitReachedException",
  "Lambda.SubnetIPAddressLimitReachedException",
  "Lambda.ResourceNotReadyException",
];

/** The runs of others end within their time, so a call that was not started is repeated for about ten minutes: each waits half of the longest on average. */
const RETRY_NOT_STARTED = {
  ErrorEquals: NOT_STARTED,
  IntervalSeconds: 1,
  BackoffRate: 2,
  MaxDelaySeconds: 30,
  MaxAttempts: 44,
  // Calls that were refused together come back apart.
  JitterStrategy: "FULL",
};

/** The longest that all repetitions wait together. */
export const PATIENCE_SECONDS = longestWait(RETRY_NOT_STARTED);

function longestWait({
  IntervalSeconds,
  BackoffRate,
  MaxDelaySeconds,
  MaxAttempts,
}: typeof RETRY_NOT_STARTED): number {
  let sum = 0;
  for (let attempt = 0; attempt < MaxAttempts; attempt++)
    sum += Math.min(MaxDelaySeconds, IntervalSeconds * BackoffRate ** attempt);
  return sum;
}

interface GuestRunsProps {
  readonly settings: Settings;
  readonly table: StateTable;
  readonly bucket: DataBucket;
  /** Undefined without a helper machine. */
  readonly helper: Helper | undefined;
  /** The functions with routes that start these runs. */
  readonly starters: readonly ServiceFunction[];
}

export class GuestRuns extends ServiceFunction {
  readonly #machine: CfnStateMachine;

  constructor(scope: Construct, id: string, { settings, table, bucket, helper, starters }: GuestRunsProps) {
    super(scope, id, {
      name: "guests",
      folder: "runs",
      entry: "guests",
      description: "Runs labs with Linux nodes",
      memoryMb: settings.get("linux_function_memory_mb"),
      environment: {
        ...settings.variables([...RUN_KEYS, ...QUOTA_KEYS, ...GUEST_KEYS]),
        RUN_MAX_LAB_SECONDS: String(settings.get("linux_max_lab_seconds")),
        RUN_MAX_CPU_SECONDS: String(CPU_SECONDS),
        // The only folder that a function can write.
        WIRELAB_CACHE: "/tmp/wirelab",
      },
      settings,
      table,
      bucket,
      network: helper?.network,
      addFiles: addGuestFiles,
    });
    helper?.bindCaller(this.handler);
    const role = new Role(this, "MachineRole", {
      description: "Wirelab: runs labs with Linux nodes",
      assumedBy: new ServicePrincipal("states.amazonaws.com"),
    });
    const call = new PolicyStatement({
      actions: ["lambda:InvokeFunction"],
      resources: [this.handler.functionArn],
    });
    const policy = new Policy(this, "MachinePolicy", { statements: [call], roles: [role] });
    const machine = new CfnStateMachine(this, "Machine", {
      roleArn: role.roleArn,
      definitionString: Stack.of(this).toJsonString(definitionOf(this.handler.functionArn)),
    });
    machine.node.addDependency(policy);
    this.#machine = machine;
    for (const { handler } of starters) {
      this.admit(handler);
      handler.addToRolePolicy(
        new PolicyStatement({ actions: ["states:DescribeExecution"], resources: [executionsOf(machine)] }),
      );
    }
    const roles = starters.map(({ handler }) => handler.role!);
    acknowledgeMachine(machine, roles, {
      log: "Step Functions shows an execution's state, and the function that runs the lab logs its errors.",
      tracing: "With the setting `tracing`, the traces of the functions show each run.",
    });
  }

  get failedExecutions() {
    return failedExecutionsOf(this.#machine);
  }

  /** Allows a function to start runs. */
  admit(starter: LambdaFunction): void {
    starter.addEnvironment("GUEST_MACHINE", this.#machine.ref);
    starter.addToRolePolicy(
      new PolicyStatement({ actions: ["states:StartExecution"], resources: [this.#machine.ref] }),
    );
  }
}

/**
 * In the Amazon States Language. A run that has begun is not repeated: it may have been committed before its function failed, and the second
 * would be another run. If the run was a console's, the function reports the failure there.
 */
const definitionOf = (functionArn: string) => ({
  StartAt: "Run",
  TimeoutSeconds: PATIENCE_SECONDS + ACCESS.guests!.timeoutSeconds + REPORT_SECONDS,
  States: {
    Run: {
      Type: "Task",
      Resource: functionArn,
      Retry: [RETRY_NOT_STARTED],
      Catch: [{ ErrorEquals: ["States.ALL"], ResultPath: "$.failure", Next: "Report" }],
      End: true,
    },
    Report: {
      Type: "Task",
      Resource: functionArn,
      // A repeated report is the same report. Too many calls may still run at once.
      Retry: [{ ErrorEquals: ["States.ALL"], IntervalSeconds: 5, MaxAttempts: 3, BackoffRate: 2 }],
      Next: "Failed",
    },
    Failed: { Type: "Fail" },
  },
});
