/** A function of the service with its bundle and its role. */
import { fileURLToPath } from "node:url";
import { Duration, Size, Validations } from "aws-cdk-lib";
import { Architecture, Function as LambdaFunction, Runtime, Tracing } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { ACCESS } from "./access.ts";
import type { DataBucket } from "./bucket.ts";
import { type AddFiles, bundledCode } from "./bundle.ts";
import type { Settings } from "./chosen-settings.ts";
import { functionLogOf } from "./function-log.ts";
import { FunctionRole } from "./function-role.ts";
import type { HelperNetwork } from "./helper/network.ts";
import { namespaceOf } from "./metrics.ts";
import { bindPasswords } from "./passwords.ts";
import type { StateTable } from "./table.ts";
import { reservedConcurrency } from "./throttling.ts";
import { TRACES } from "./wildcards.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

export interface ServiceFunctionProps {
  /** Name of the folder in functions/, and of the entry in access.ts. */
  readonly name: string;
  /** Name of the folder in functions/, if it is another one. */
  readonly folder?: string;
  /** Puts the function into the helper machine's network. */
  readonly network?: HelperNetwork | undefined;
  /** Name of the file with the handler, without extension. Default: `handler`. */
  readonly entry?: string;
  readonly description: string;
  /** Writes further files to the folder of the bundle. */
  readonly addFiles?: AddFiles | undefined;
  readonly environment?: Record<string, string>;
  readonly settings: Settings;
  /** Default: that of access.ts. */
  readonly memoryMb?: number;
  readonly table: StateTable;
  readonly bucket: DataBucket;
}

export class ServiceFunction extends Construct {
  /** Its entry in access.ts. */
  readonly name: string;
  readonly handler: LambdaFunction;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const {
      name,
      folder = name,
      entry = "handler",
      description,
      addFiles,
      environment = {},
      settings,
      memoryMb,
      table,
      bucket,
      network,
    } = props;
    const access = ACCESS[name];
    if (access === undefined) throw new Error(`infra/access.ts has no entry for the function ${name}`);
    this.name = name;
    const logGroup = functionLogOf(this);
    const role = new FunctionRole(this, "Role", `Wirelab: ${description}`);
    logGroup.grantWrite(role);
    this.handler = new LambdaFunction(this, "Function", {
      role,
      description: `Wirelab: ${description}`,
      code: bundledCode(`${ROOT}functions/${folder}`, entry, addFiles),
      handler: "index.handler",
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memoryMb ?? access.memoryMb,
      timeout: Duration.seconds(access.timeoutSeconds),
      ...(access.scratchMb && { ephemeralStorageSize: Size.mebibytes(access.scratchMb) }),
      logGroup,
      ...reservedConcurrency(settings, name),
      tracing: settings.get("tracing") ? Tracing.ACTIVE : Tracing.DISABLED,
      environment: { METRICS_NAMESPACE: namespaceOf(this), ...environment },
      ...network?.placement,
    });
    network?.admit(this.handler);
    if (access.table) table.bind(this.handler, access.table);
    if (access.bucket) bucket.bind(this.handler, access.bucket);
    if (access.passwords) bindPasswords(this.handler, access.passwords);
    if (settings.get("tracing")) {
      Validations.of(this).acknowledge({
        id: "AwsSolutions-IAM5[Resource::*]",
        reason: TRACES,
      });
    }
  }
}
