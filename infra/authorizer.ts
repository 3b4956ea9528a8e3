/**
 * The function that authenticates callers for API Gateway, with the users in the table and the first password, or with the keys of a
 * token issuer.
 */
import { CfnOutput, Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import { IdentitySource, RequestAuthorizer } from "aws-cdk-lib/aws-apigateway";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import type { DataBucket } from "./bucket.ts";
import type { Settings } from "./chosen-settings.ts";
import { customerKeyOf, grantKey } from "./customer-key.ts";
import { ServiceFunction } from "./service-function.ts";
import type { StateTable } from "./table.ts";

/** As in functions/shared/store/user/user.ts. */
const FIRST_USER = "admin";
const FIRST_PASSWORD_CHARACTERS = 32;

/** API Gateway caches policies for this time, so a changed password, a removed user or a reduced role takes effect after it at the latest. */
const CACHED_SECONDS = 60;

const TOKEN_SETTINGS = ["jwt_issuer", "jwt_audience", "jwt_role_claim", "jwt_user_claim"] as const;

interface AuthorizerProps {
  readonly mode: "basic" | "jwt";
  readonly settings: Settings;
  readonly table: StateTable;
  readonly bucket: DataBucket;
}

export class Authorizer extends ServiceFunction {
  readonly gate: RequestAuthorizer;

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
    if (mode === "basic") this.#bindUsers(table);
    this.gate = new RequestAuthorizer(this, "Gate", {
      handler: this.handler,
      // API Gateway rejects a request without the header and does not call the function. With the address as a second key, the
      // cached response for a locked-out address does not affect other addresses.
      identitySources: [IdentitySource.header("Authorization"), IdentitySource.context("identity.sourceIp")],
      resultsCacheTtl: Duration.seconds(CACHED_SECONDS),
    });
  }

  /** Grants read access to users: the function cannot create or change them. */
  #bindUsers(table: StateTable): void {
    table.bind(this.handler, {
      keys: {
        USERS: ["GetItem"],
        "FAILURES#*": ["GetItem", "UpdateItem"],
        "KNOWN_SOURCES#*": ["GetItem", "PutItem"],
      },
    });
    const encryptionKey = customerKeyOf(this);
    const secret = new Secret(this, "FirstPassword", {
      description: `Wirelab: the password of ${FIRST_USER}, until the table has a user of that name`,
      generateSecretString: { passwordLength: FIRST_PASSWORD_CHARACTERS, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
      ...(encryptionKey && { encryptionKey }),
    });
    Validations.of(secret).acknowledge({
      id: "AwsSolutions-SMG4",
      reason:
        "The secret has only the first user's first password; `wirelab users passwd` changes passwords.",
    });
    this.handler.addEnvironment("ADMIN_SECRET", secret.secretArn);
    this.handler.addToRolePolicy(
      new PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources: [secret.secretArn] }),
    );
    grantKey(this.handler, "secretsmanager", ["Decrypt"]);
    const { region } = Stack.of(this);
    new CfnOutput(Stack.of(this), "AdminPasswordCommand", {
      value: `aws secretsmanager get-secret-value --region ${region} --secret-id ${secret.secretArn} --query SecretString --output text`,
      description: `Prints the first password of the user ${FIRST_USER}`,
    });
  }
}
