/** A route group's function: its bundle, its log, its role. */
import { fileURLToPath } from "node:url";
import { Duration, RemovalPolicy, Validations } from "aws-cdk-lib";
import { Architecture, type Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { NodejsFunction, OutputFormat } from "aws-cdk-lib/aws-lambda-nodejs";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { RouteGroup } from "../functions/api/route.ts";
import { ACCESS } from "./access.ts";
import type { DataBucket } from "./bucket.ts";
import { RUNS_LABS, runLimits } from "./run-limits.ts";
import type { StateTable } from "./table.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

interface RouteGroupFunctionProps {
  readonly group: RouteGroup;
  readonly table: StateTable;
  readonly bucket: DataBucket;
}

export class RouteGroupFunction extends Construct {
  readonly handler: LambdaFunction;

  constructor(scope: Construct, id: string, { group, table, bucket }: RouteGroupFunctionProps) {
    super(scope, id);
    const access = ACCESS[group.name];
    if (access === undefined) throw new Error(`infra/access.ts says nothing of the group ${group.name}`);
    this.handler = new NodejsFunction(this, "Function", {
      description: `Wirelab: ${group.description}`,
      entry: `${ROOT}functions/${group.name}/handler.ts`,
      projectRoot: ROOT,
      depsLockFilePath: `${ROOT}package-lock.json`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: access.memoryMb,
      timeout: Duration.seconds(access.timeoutSeconds),
      logGroup: new LogGroup(this, "Log", {
        retention: RetentionDays.ONE_MONTH,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
      environment: RUNS_LABS.has(group.name) ? runLimits(this.node) : {},
      bundling: {
        format: OutputFormat.ESM,
        target: "node24",
        minify: true,
        // The SDK is bundled: what is tested is what runs, and it loads faster than the runtime's own copy.
        externalModules: [],
        // ES modules are what esbuild can shake unused code out of.
        mainFields: ["module", "main"],
        // Some dependencies are CommonJS and ask for Node's own modules.
        banner: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);',
      },
    });
    if (access.table) table.bind(this.handler, access.table);
    if (access.bucket) bucket.bind(this.handler, access.bucket);
    Validations.of(this).acknowledge({
      id: "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]",
      reason: "The managed policy allows writing logs, and nothing else.",
    });
  }
}
