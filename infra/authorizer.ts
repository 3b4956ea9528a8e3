/**
 * The function that authenticates callers for API Gateway, with the users in the table, or with the keys of a
 * token issuer.
 */
import { CfnOutput, Stack } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { LambdaAuthorizer } from "./api/document.ts";
import type { DataBucket } from "./bucket.ts";
import type { Settings } from "./chosen-settings.ts";
import { ServiceFunction } from "./service-function.ts";
import { serviceNameOf, serviceOf } from "./service-stack.ts";
import type { StateTable } from "./table.ts";

const TOKEN_SETTINGS = ["jwt_issuer", "jwt_audience", "jwt_role_claim", "jwt_user_claim"] as const;

interface AuthorizerProps {
  readonly mode: "basic" | "jwt";
  readonly settings: Settings;
  readonly table: StateTable;
  readonly bucket: DataBucket;
}

/**
 * API Gateway rejects a request without the header and does not call the function. With the address as a second key, the cached
 * response for a locked-out address does not affect other addresses.
 */
const IDENTITY_SOURCES = ["method.request.header.Authorization", "context.identity.sourceIp"];

export class Authorizer extends ServiceFunction {
  /** A changed password, a removed user or a reduced role takes effect after this time at the latest. */
  readonly #cachedSeconds: number;

  constructor(scope: Construct, id: string, { mode, settings, table, bucket }: AuthorizerProps) {
    super(scope, id, {
      name: "authorizer",
      entry: mode,
      description: "Authenticates callers",
      environment: mode === "jwt" ? settings.variables(TOKEN_SETTINGS) : {},
      settings,
      table,
      bucket,
    });
    this.#cachedSeconds = settings.get("sign_in_cache_seconds");
    if (mode === "basic") this.#bindUsers(table);
  }

  /** How the REST API uses the function. */
  get gate(): LambdaAuthorizer {
    const { partition, region } = Stack.of(this);
    const { functionArn } = this.handler;
    return {
      type: "request",
      authorizerUri: `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${functionArn}/invocations`,
      identitySource: IDENTITY_SOURCES.join(),
      authorizerResultTtlInSeconds: this.#cachedSeconds,
    };
  }

  /** Grants read access to users and to the keys of tokens: the function cannot create or change them. */
  #bindUsers(table: StateTable): void {
    table.bind(this.handler, {
      keys: {
        USERS: ["GetItem"],
        NAMESPACES: ["GetItem"],
        TOKEN_KEYS: ["GetItem"],
        "FAILURES#*": ["GetItem", "UpdateItem"],
        "KNOWN_SOURCES#*": ["GetItem", "PutItem"],
      },
    });
    const { stackName } = Stack.of(this);
    // A stack with several services has no output that names its table.
    const owner = serviceNameOf(this) === stackName ? `--stack ${stackName}` : `--table ${table.name}`;
    new CfnOutput(serviceOf(this), "FirstUserCommand", {
      value: `npx wirelab users first ${owner}`,
      description:
        "Adds the user admin to a table without users, and prints the password; npm run deploy runs it",
    });
  }
}
