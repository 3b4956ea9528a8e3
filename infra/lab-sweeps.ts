/** Sweeps of lab files: a state machine that plays batches of cases, several at once, and the function that plays one batch. */
import { Stack } from "aws-cdk-lib";
import type { IMetric } from "aws-cdk-lib/aws-cloudwatch";
import { Policy, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { CfnStateMachine } from "aws-cdk-lib/aws-stepfunctions";
import type { Construct } from "constructs";
import { LAB_SWEEPS } from "../functions/shared/edge/figures.ts";
import type { DataBucket } from "./bucket.ts";
import type { Settings } from "./chosen-settings.ts";
import { acknowledgeMachine, executionsOf, failedExecutionsOf } from "./executions.ts";
import { ServiceFunction } from "./service-function.ts";
import { QUOTA_KEYS, RUN_KEYS } from "./settings.ts";
import type { StateTable } from "./table.ts";

interface LabSweepsProps {
  readonly settings: Settings;
  readonly table: StateTable;
  readonly bucket: DataBucket;
  /** The function with the routes of sweeps. */
  readonly starter: ServiceFunction;
  /** The function that plays cases with Linux nodes. */
  readonly guests: ServiceFunction;
}

export class LabSweeps extends ServiceFunction {
  readonly failedExecutions: IMetric;

  constructor(scope: Construct, id: string, { settings, table, bucket, starter, guests }: LabSweepsProps) {
    super(scope, id, {
      name: "labcases",
      folder: "labs",
      entry: "batch",
      description: "Plays cases of sweeps",
      environment: settings.variables([...RUN_KEYS, ...QUOTA_KEYS]),
      settings,
      table,
      bucket,
    });
    const role = new Role(this, "MachineRole", {
      description: "Wirelab: plays sweeps",
      assumedBy: new ServicePrincipal("states.amazonaws.com"),
    });
    const machine = new CfnStateMachine(this, "Machine", {
      roleArn: role.roleArn,
      definitionString: Stack.of(this).toJsonString(
        definitionOf(this.handler.functionArn, guests.handler.functionArn),
      ),
    });
    this.failedExecutions = failedExecutionsOf(machine);
    const start = new PolicyStatement({ actions: ["states:StartExecution"], resources: [machine.ref] });
    const follow = new PolicyStatement({
      actions: ["states:DescribeExecution", "states:StopExecution"],
      resources: [executionsOf(machine)],
    });
    const play = new PolicyStatement({
      actions: ["lambda:InvokeFunction"],
      resources: [this.handler.functionArn, guests.handler.functionArn],
    });
    // A Distributed Map starts each batch as an execution of its own state machine, so the role cannot hold the policy: it would
    // refer to the machine, which refers to the role.
    const policy = new Policy(this, "MachinePolicy", { statements: [play, start, follow], roles: [role] });
    machine.node.addDependency(role);
    policy.node.addDependency(machine);
    starter.handler.addEnvironment("SWEEP_MACHINE", machine.ref);
    starter.handler.addToRolePolicy(start);
    starter.handler.addToRolePolicy(follow);
    acknowledgeMachine(machine, [policy, starter.handler.role!], {
      log: "Step Functions shows an execution's state, and the function that plays a batch logs its errors.",
      tracing: "With the setting `tracing`, the traces of the functions show each batch.",
    });
  }
}

/** A batch that is repeated writes the same bytes. */
const REPEAT = { ErrorEquals: ["States.ALL"], IntervalSeconds: 2, MaxAttempts: 2, BackoffRate: 2 };

/** More runs with Linux nodes at once than the account allows: those of others end in their time. */
const WAIT_FOR_OTHERS = {
  ErrorEquals: ["Lambda.TooManyRequestsException"],
  IntervalSeconds: 5,
  MaxAttempts: 10,
  BackoffRate: 1.5,
};

/**
 * In the Amazon States Language. infra/local/state-machines.ts runs a machine of this form. The input has `guests` if the lab has Linux
 * nodes.
 */
const definitionOf = (functionArn: string, guestsArn: string) => ({
  StartAt: "Kind",
  TimeoutSeconds: LAB_SWEEPS.seconds,
  States: {
    Kind: {
      Type: "Choice",
      Choices: [{ Variable: "$.guests", IsPresent: true, Next: "GuestBatches" }],
      Default: "Batches",
    },
    // Express workflows are paid by their time, not by their steps.
    Batches: batchesOf({
      play: "Play",
      functionArn,
      mode: { Mode: "DISTRIBUTED", ExecutionType: "EXPRESS" },
      retry: [REPEAT],
    }),
    // An express workflow ends after five minutes.
    GuestBatches: batchesOf({
      play: "PlayGuests",
      functionArn: guestsArn,
      mode: { Mode: "INLINE" },
      retry: [WAIT_FOR_OTHERS, REPEAT],
    }),
  },
});

interface BatchesProps {
  /** The name of the state that plays a batch: names of states are unique in the whole machine. */
  readonly play: string;
  readonly functionArn: string;
  readonly mode: object;
  readonly retry: readonly object[];
}

const batchesOf = ({ play, functionArn, mode, retry }: BatchesProps) => ({
  Type: "Map",
  End: true,
  ItemsPath: "$.batches",
  ItemSelector: { "sweep.$": "$.sweep", "batch.$": "$$.Map.Item.Value" },
  MaxConcurrency: LAB_SWEEPS.batchesAtOnce,
  // The outcomes are in the bucket.
  ResultPath: null,
  ItemProcessor: {
    ProcessorConfig: mode,
    StartAt: play,
    States: { [play]: { Type: "Task", Resource: functionArn, End: true, Retry: retry } },
  },
});
