/** A function of the service: its bundle, its log, its role. */
import { fileURLToPath } from "node:url";
import { Duration, RemovalPolicy, Validations } from "aws-cdk-lib";
import { Architecture, type Function as LambdaFunction, Runtime, Tracing } from "aws-cdk-lib/aws-lambda";
import { NodejsFunction, OutputFormat } from "aws-cdk-lib/aws-lambda-nodejs";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { ACCESS } from "./access.ts";
import type { DataBucket } from "./bucket.ts";
import { namespaceOf } from "./metrics.ts";
import type { StateTable } from "./table.ts";
import { reservedConcurrency } from "./throttling.ts";
import { isTraced } from "./tracing.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

export interface ServiceFunctionProps {
  /** Of the folder in functions/, and of the entry in access.ts. */
  readonly name: string;
  /** Of the file there that has the handler, without its ending. Default: `handler`. */
  readonly entry?: string;
  readonly description: string;
  readonly environment?: Record<string, string>;
  readonly table: StateTable;
  readonly bucket: DataBucket;
}

export class ServiceFunction extends Construct {
  readonly handler: LambdaFunction;
  readonly log: LogGroup;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { name, entry = "handler", description, environment = {}, table, bucket } = props;
    const access = ACCESS[name];
    if (access === undefined) throw new Error(`infra/access.ts says nothing of the function ${name}`);
    this.log = new LogGroup(this, "Log", {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.handler = new NodejsFunction(this, "Function", {
      description: `Wirelab: ${description}`,
      entry: `${ROOT}functions/${name}/${entry}.ts`,
      projectRoot: ROOT,
      depsLockFilePath: `${ROOT}package-lock.json`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: access.memoryMb,
      timeout: Duration.seconds(access.timeoutSeconds),
      logGroup: this.log,
      reservedConcurrentExecutions: reservedConcurrency(this.node, name),
      tracing: isTraced(this.node) ? Tracing.ACTIVE : Tracing.DISABLED,
      environment: { METRICS_NAMESPACE: namespaceOf(this), ...environment },
      bundling: {
        format: OutputFormat.ESM,
        target: "node24",
        minify: true,
        // The SDK is bundled: what is tested is what runs, and it loads faster than the runtime's own copy.
        externalModules: [],
        // ES modules are what esbuild can shake unused code out of.
        mainFields: ["module", "main"],
        esbuildArgs: {
          "--alias:@aws-sdk/credential-provider-node": `${ROOT}infra/bundle/environment-credentials.ts`,
        },
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
    if (isTraced(this.node)) {
      Validations.of(this).acknowledge({
        id: "AwsSolutions-IAM5[Resource::*]",
        reason: "X-Ray's actions know no resources.",
      });
    }
  }
}
