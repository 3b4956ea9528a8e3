/** The construct in another app's stack, and the names of the app's own. */
import { App, type CfnOutput, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { beforeAll, describe, expect, test } from "vitest";
import { Auth, Wirelab } from "../../../infra/wirelab.ts";
import { templateOf } from "../../helpers/stack/stack.ts";

/** An app without feature flags, as another project's may be. The limit of resources is infra/stack.test.ts's. */
const appWithout = (): App =>
  new App({
    context: {
      "aws:cdk:bundling-stacks": [],
      "@aws-cdk/core:validateAgainstDefaultRules": false,
      "@aws-cdk/core:stackResourceLimit": 0,
    },
  });

test("in the app's own stack, table and bucket keep their logical ids: another id would be an empty table", () => {
  const template = templateOf();
  expect(Object.keys(template.findResources("AWS::DynamoDB::Table"))).toEqual(["TableState65A03B10"]);
  expect(Object.keys(template.findResources("AWS::S3::Bucket")).toSorted()).toEqual([
    "BucketAccessLog379A60E7",
    "BucketData05616C16",
  ]);
  expect(Object.keys(template.findOutputs("*"))).toEqual(
    expect.arrayContaining(["FirstUserCommand", "ApiUrl", "BucketName", "SocketsUrl", "TableName"]),
  );
});

describe("two in one stack", () => {
  let template: Template;
  let labs: Wirelab;
  beforeAll(() => {
    const stack = new Stack(appWithout(), "Mine");
    labs = new Wirelab(stack, "Labs", {
      auth: Auth.iam("editor"),
      quotas: { nodes: 200 },
      concurrency: { runs: 5 },
      wafRate: 500,
      domain: "lab.example.org",
      domainCertificate: "arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d",
      alarms: true,
      dashboard: true,
    });
    new Wirelab(stack, "Class", {
      auth: Auth.jwt({ issuer: "https://issuer.example/", audience: "class" }),
      alarmEmail: "ops@example.org",
      customerKey: true,
      dashboard: true,
    });
    labs.grantInvoke(new Role(stack, "Caller", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") }));
    template = Template.fromStack(stack);
  }, 300_000);

  const variablesOf = (id: RegExp): Record<string, unknown> =>
    Object.entries(template.findResources("AWS::Lambda::Function")).find(([name]) => id.test(name))![1]
      .Properties.Environment.Variables;

  test("each has its table, bucket, names, metrics and outputs", () => {
    expect(Object.keys(template.findResources("AWS::DynamoDB::Table")).map((id) => id.slice(0, -8))).toEqual([
      "LabsTableState",
      "ClassTableState",
    ]);
    const names = Object.values(template.findResources("AWS::ApiGateway::RestApi")).map(
      ({ Properties }) => Properties.Name,
    );
    expect(names).toEqual(["Mine-Labs", "Mine-Class"]);
    expect(variablesOf(/^LabsrunsFunction/).METRICS_NAMESPACE).toBe("Mine-Labs");
    const boards = Object.values(template.findResources("AWS::CloudWatch::Dashboard"));
    expect(boards.map(({ Properties }) => Properties.DashboardName)).toEqual(["Mine-Labs", "Mine-Class"]);
    expect(Object.keys(template.findOutputs("*")).filter((id) => id.includes("ApiUrl"))).toHaveLength(2);
  });

  test("each has its settings", () => {
    expect(variablesOf(/^LabsrunsFunction/)).toMatchObject({
      AUTH_MODE: "iam",
      IAM_ROLE: "editor",
      QUOTA_NODES: "200",
    });
    expect(variablesOf(/^ClassrunsFunction/)).toMatchObject({ AUTH_MODE: "jwt" });
    expect(variablesOf(/^ClassrunsFunction/)).not.toHaveProperty("QUOTA_NODES");
    template.hasResourceProperties("AWS::Lambda::Function", { ReservedConcurrentExecutions: 5 });
    const keys = Object.keys(template.findResources("AWS::KMS::Key"));
    expect(keys).toEqual([expect.stringMatching(/^ClassCustomerKey/)]);
    for (const [id, { Properties }] of Object.entries(template.findResources("AWS::Logs::LogGroup")))
      expect("KmsKeyId" in Properties, id).toBe(id.startsWith("Class"));
  });

  test("a role can be allowed to call one with IAM", () => {
    template.hasResourceProperties("AWS::IAM::Policy", {
      PolicyDocument: { Statement: [{ Action: "execute-api:Invoke", Effect: "Allow" }] },
    });
    expect(Object.keys(labs.functions)).toEqual(expect.arrayContaining(["runs", "sweeper", "sockets"]));
    expect([labs.table.tableName, labs.bucket.bucketName].every(Boolean)).toBe(true);
    expect(labs.api.url).toBe("https://lab.example.org/v2/");
  });
});

test("calls of one without IAM cannot be granted by a policy", () => {
  const stack = new Stack(appWithout(), "Mine");
  const labs = new Wirelab(stack, "Labs");
  const caller = new Role(stack, "Caller", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
  expect(() => labs.grantInvoke(caller)).toThrow("Mine/Labs: grantInvoke requires auth: Auth.iam()");
});

test("the command that adds the first user names the table, because the stack may have several", () => {
  const stack = new Stack(appWithout(), "Mine");
  const labs = new Wirelab(stack, "Labs");
  const output = labs.node.findAll().find(({ node }) => node.id === "FirstUserCommand") as CfnOutput;
  expect(stack.resolve(output.value)).toEqual({
    "Fn::Join": ["", ["npx wirelab users first --table ", { Ref: expect.stringMatching(/^LabsTableState/) }]],
  });
});

test.each([
  [{ quotas: { nodez: 5 } }, "no property for a setting quota_nodez; is quota_nodes meant?"],
  [{ wav: true }, "no property for a setting wav; is waf meant?"],
  [{ wafRate: 5 }, "Wirelab: the setting waf_rate is 5; it must be a whole number from 10 up"],
  [{ auth: Auth.none() }, "it requires ephemeral=true"],
])("%j is refused", (props, message) => {
  expect(() => new Wirelab(new Stack(appWithout(), "Mine"), "Labs", props as never)).toThrow(message);
});
