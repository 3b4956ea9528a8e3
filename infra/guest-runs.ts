/** Runs of labs with Linux nodes: the function that runs them, and a state machine that calls it and knows whether it has failed. */
import { Stack } from "aws-cdk-lib";
import { Policy, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { CfnStateMachine } from "aws-cdk-lib/aws-stepfunctions";
import type { Construct } from "constructs";
import { ACCESS } from "./access.ts";
import type { DataBucket } from "./bucket.ts";
import { acknowledgeMachine, executionsOf } from "./executions.ts";
import { addGuestFiles } from "./guest-files.ts";
import type { Helper } from "./helper.ts";
import { ServiceFunction } from "./service-function.ts";
import { GUEST_KEYS, QUOTA_KEYS, RUN_KEYS, readFigure, variablesFor } from "./settings.ts";
import type { StateTable } from "./table.ts";

/** Processor time of the simulation without the guests, which compute in threads of their own. */
const CPU_SECONDS = 600;

interface GuestRunsProps {
  readonly table: StateTable;
  readonly bucket: DataBucket;
  /** Undefined without a helper machine. */
  readonly helper: Helper | undefined;
  /** The function with the routes of runs. */
  readonly starter: ServiceFunction;
}

export class GuestRuns extends ServiceFunction {
  constructor(scope: Construct, id: string, { table, bucket, helper, starter }: GuestRunsProps) {
    super(scope, id, {
      name: "guests",
      folder: "runs",
      entry: "guests",
      description: "Runs labs with Linux nodes",
      environment: {
        ...variablesFor(scope.node, [...RUN_KEYS, ...QUOTA_KEYS, ...GUEST_KEYS]),
        RUN_MAX_LAB_SECONDS: String(readFigure(scope.node, "linux_max_lab_seconds")),
        RUN_MAX_CPU_SECONDS: String(CPU_SECONDS),
        // The only folder that a function can write.
        WIRELAB_CACHE: "/tmp/wirelab",
      },
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
    starter.handler.addEnvironment("GUEST_MACHINE", machine.ref);
    starter.handler.addToRolePolicy(
      new PolicyStatement({ actions: ["states:StartExecution"], resources: [machine.ref] }),
    );
    starter.handler.addToRolePolicy(
      new PolicyStatement({ actions: ["states:DescribeExecution"], resources: [executionsOf(machine)] }),
    );
    acknowledgeMachine(machine, [starter.handler.role!], {
      log: "Step Functions shows an execution's state, and the function that runs the lab logs its errors.",
      tracing: "With the setting `tracing`, the traces of the functions show each run.",
    });
  }
}

/**
 * In the Amazon States Language. Nothing is repeated: a run may have been committed before its function failed, and the second would be
 * another run.
 */
const definitionOf = (functionArn: string) => ({
  StartAt: "Run",
  TimeoutSeconds: ACCESS.guests!.timeoutSeconds + 60,
  States: { Run: { Type: "Task", Resource: functionArn, End: true } },
});
