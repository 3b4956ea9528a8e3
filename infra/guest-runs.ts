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
 * In the Amazon States Language. A run is not repeated: it may have been committed before its function failed, and the second would be
 * another run. If the run was a console's, the function reports the failure there.
 */
const definitionOf = (functionArn: string) => ({
  StartAt: "Run",
  TimeoutSeconds: ACCESS.guests!.timeoutSeconds + REPORT_SECONDS,
  States: {
    Run: {
      Type: "Task",
      Resource: functionArn,
      Catch: [{ ErrorEquals: ["States.ALL"], ResultPath: "$.failure", Next: "Report" }],
      End: true,
    },
    Report: {
      Type: "Task",
      Resource: functionArn,
      // The function may have failed because too many run at once.
      Retry: [{ ErrorEquals: ["States.ALL"], IntervalSeconds: 5, MaxAttempts: 3, BackoffRate: 2 }],
      Next: "Failed",
    },
    Failed: { Type: "Fail" },
  },
});
