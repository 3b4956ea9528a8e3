/**
 * The function that identifies callers for API Gateway, and its resources: the users in the table and the first password, or an
 * issuer of tokens.
 */
import { CfnOutput, Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import { IdentitySource, RequestAuthorizer } from "aws-cdk-lib/aws-apigateway";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import type { Auth } from "./auth.ts";
import type { DataBucket } from "./bucket.ts";
import { customerKeyOf, grantKey } from "./customer-key.ts";
import { ServiceFunction } from "./service-function.ts";
import type { StateTable } from "./table.ts";

/** As in functions/shared/store/user/user.ts. */
const FIRST_USER = "admin";
const FIRST_PASSWORD_CHARACTERS = 32;

/** How long a changed password, a removed user or a reduced role may stay without effect. */
const CACHED_SECONDS = 60;

interface AuthorizerProps {
  readonly auth: Extract<Auth, { mode: "basic" | "jwt" }>;
  readonly table: StateTable;
  readonly bucket: DataBucket;
}

export class Authorizer extends ServiceFunction {
  readonly gate: RequestAuthorizer;

  constructor(scope: Construct, id: string, { auth, table, bucket }: AuthorizerProps) {
    super(scope, id, {
      name: "authorizer",
      entry: auth.mode,
      description: "Who may call",
      environment: auth.mode === "jwt" ? tokenVariables(auth) : {},
      table,
      bucket,
    });
    if (auth.mode === "basic") this.#bindUsers(table);
    this.gate = new RequestAuthorizer(this, "Gate", {
      handler: this.handler,
      // API Gateway refuses a request without the header before it calls the function. It caches the response for a locked-out
      // address only for that address.
      identitySources: [IdentitySource.header("Authorization"), IdentitySource.context("identity.sourceIp")],
      resultsCacheTtl: Duration.seconds(CACHED_SECONDS),
    });
  }

  /** Grants reading users, not creating them. */
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
      reason: "It lets the first user in once; passwords are changed with `wirelab users passwd`.",
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

const tokenVariables = ({
  issuer,
  audience,
  roleClaim,
  userClaim,
}: Extract<Auth, { mode: "jwt" }>): Record<string, string> => ({
  JWT_ISSUER: issuer,
  JWT_AUDIENCE: audience,
  ...(roleClaim !== undefined && { JWT_ROLE_CLAIM: roleClaim }),
  ...(userClaim !== undefined && { JWT_USER_CLAIM: userClaim }),
});
