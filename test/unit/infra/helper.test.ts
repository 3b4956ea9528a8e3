/** The helper machine of `-c helper=...`: a nested stack with its network, its template and its two functions. */
import type { NestedStack } from "aws-cdk-lib";
import { Match, Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { Settings as ChosenSettings } from "../../../infra/chosen-settings.ts";
import { findingsIn } from "../../helpers/stack/nag.ts";
import { type Statement, statementsOf, statementsOfFunction } from "../../helpers/stack/policies.ts";
import { makeStack, type Settings, templateOf } from "../../helpers/stack/stack.ts";

const HELPER: Settings = { helper: "c8i.xlarge" };

/** Every option; a type of a family without nested virtualisation. */
const FULL: Settings = {
  helper: "m7i.large",
  helper_nat: "true",
  helper_hibernation: "true",
  helper_volume_gb: 80,
  customer_key: "true",
  tracing: "true",
  waf: "true",
  edge: "true",
  alarm_email: "ops@example.org",
  budget_usd: "20",
  dashboard: "true",
  ephemeral: "true",
};

function nestedOf(settings: Settings): { root: Template; nested: Template; findings: string[] } {
  const { stack } = makeStack(settings);
  const helper = stack.service.node.findChild("Helper") as NestedStack;
  const findings = findingsIn(stack);
  return { root: Template.fromStack(stack), nested: Template.fromStack(helper), findings };
}

let root: Template;
let nested: Template;
let findings: string[];
let full: ReturnType<typeof nestedOf>;
beforeAll(() => {
  ({ root, nested, findings } = nestedOf(HELPER));
  full = nestedOf(FULL);
});

test("without the setting there is none", () => {
  templateOf().resourceCountIs("AWS::CloudFormation::Stack", 0);
  expect(JSON.stringify(templateOf().toJSON())).not.toContain("HELPER_STACK");
});

test("cdk-nag finds nothing, also with every option", () => {
  expect(findings).toEqual([]);
  expect(full.findings).toEqual([]);
});

test("the whole stack stays below the 500 resources of CloudFormation with every option", () => {
  const { Resources } = full.root.toJSON() as { Resources: object };
  expect(Object.keys(Resources).length).toBeLessThanOrEqual(500);
});

describe("the machine", () => {
  const data = (of: Template) =>
    Object.values(of.findResources("AWS::EC2::LaunchTemplate"))[0]!.Properties.LaunchTemplateData;

  test("has an encrypted disk, metadata for version 2 alone, nested virtualisation and no public address", () => {
    expect(data(nested)).toMatchObject({
      InstanceType: "c8i.xlarge",
      CpuOptions: { NestedVirtualization: "enabled" },
      MetadataOptions: { HttpTokens: "required", HttpPutResponseHopLimit: 1 },
      BlockDeviceMappings: [{ Ebs: { Encrypted: true, VolumeSize: 40, VolumeType: "gp3" } }],
      NetworkInterfaces: [{ AssociatePublicIpAddress: false, Ipv6AddressCount: 1 }],
      HibernationOptions: { Configured: false },
    });
    expect(data(nested).SecurityGroupIds).toBeUndefined();
  });

  test("can hibernate when asked, and has nested virtualisation only where EC2 offers it", () => {
    const other = full.nested;
    expect(data(other)).toMatchObject({
      HibernationOptions: { Configured: true },
      BlockDeviceMappings: [{ Ebs: { VolumeSize: 80 } }],
    });
    expect(data(other).CpuOptions).toBeUndefined();
  });

  test("installs the packages of the key's owner, and writes no password into its user data", () => {
    const text = JSON.stringify(data(nested).UserData);
    expect(text).toContain("F88F6D313016330404F710FC9A2FD067A2E3EF7B");
    expect(text).toContain("get_secret_value");
    expect(text).toContain("auth = True");
    expect(text).toContain("port = 80");
    expect(text).not.toContain("resolve:secretsmanager");
  });

  test("admits the functions that call computes, and nothing else", () => {
    const rules = Object.values(nested.findResources("AWS::EC2::SecurityGroupIngress"));
    expect(rules.map(({ Properties }) => [Properties.SourceSecurityGroupId, Properties.CidrIp])).toEqual([
      [{ "Fn::GetAtt": [expect.stringMatching(/^NetworkCallers/), "GroupId"] }, undefined],
    ]);
    for (const { Properties } of Object.values(nested.findResources("AWS::EC2::SecurityGroup")))
      expect(Properties.SecurityGroupIngress).toBeUndefined();
    nested.resourceCountIs("AWS::EC2::InternetGateway", 0);
    nested.resourceCountIs("AWS::EC2::NatGateway", 0);
    nested.resourceCountIs("AWS::EC2::EgressOnlyInternetGateway", 1);
    nested.resourceCountIs("AWS::EC2::VPCEndpoint", 2);
    nested.allResourcesProperties("AWS::EC2::VPCEndpoint", { VpcEndpointType: "Gateway" });
  });

  test("has a NAT gateway only when asked", () => {
    full.nested.resourceCountIs("AWS::EC2::NatGateway", 1);
  });

  const read = (helper: string) => new ChosenSettings({ helper }).get("helper");

  test.each(["c8g.large", "xlarge", "c8i", "C8i.large"])("refuses the type %s", (type) => {
    expect(() => read(type)).toThrow(/context key helper is .*; it must be an EC2 instance type/);
  });

  test.each(["c8i.xlarge", "c8i-flex.large", "m7a.24xlarge", "c8i.metal-48xl", "t3.micro"])(
    "takes the type %s",
    (type) => expect(read(type)).toBe(type),
  );
});

describe("the functions", () => {
  const ec2 = (statements: readonly Statement[]) =>
    statements.filter(({ actions }) => actions.some((action) => /^(ec2|iam):/.test(action)));

  test("start, stop and change instances with the stack's tag only, and launch from the template only", () => {
    const statements = ec2(statementsOfFunction(nested, "helper"));
    const of = (action: string) => statements.filter(({ actions }) => actions.includes(action));
    for (const action of ["ec2:StartInstances", "ec2:StopInstances", "ec2:ModifyInstanceAttribute"]) {
      expect(of(action)).toHaveLength(1);
      expect(of(action)[0]!.conditions).toEqual({
        StringEquals: { "aws:ResourceTag/wirelab:helper": ["Wirelab"] },
      });
    }
    expect(of("ec2:RunInstances")).toHaveLength(2);
    for (const { conditions } of of("ec2:RunInstances"))
      expect(Object.keys(conditions.ArnEquals ?? {})).toEqual(["ec2:LaunchTemplate"]);
    expect(of("ec2:CreateTags")[0]!.conditions.StringEquals).toMatchObject({
      "ec2:CreateAction": ["RunInstances"],
      "aws:RequestTag/wirelab:helper": ["Wirelab"],
    });
    expect(of("iam:PassRole")[0]!.resources).toEqual(["<MachineRole.Arn>"]);
    const unconditional = statements.filter(({ conditions }) => Object.keys(conditions).length === 0);
    expect(unconditional.flatMap(({ actions }) => actions)).toEqual([
      "ec2:DescribeInstanceTypes",
      "ec2:DescribeInstances",
    ]);
  });

  test("of the settings may only describe instances", () => {
    expect(ec2(statementsOfFunction(root, "simvm")).flatMap(({ actions }) => actions)).toEqual([
      "ec2:DescribeInstanceTypes",
      "ec2:DescribeInstances",
    ]);
  });

  test("that call computes are in the machine's network, with Secrets Manager over IPv6; those that call EC2 are not", () => {
    const inside = [root, nested].flatMap((template) =>
      Object.values(template.findResources("AWS::Lambda::Function"))
        .filter(({ Properties }) => Properties.VpcConfig !== undefined)
        .map(({ Properties }) => Properties),
    );
    const descriptions = inside.map(({ Description }) => Description);
    expect(descriptions).toContain("Wirelab: Registers the helper machine when its server answers");
    expect(descriptions.length).toBeGreaterThan(2);
    expect(descriptions).not.toContain("Wirelab: Starts and stops the helper machine");
    expect(descriptions).not.toContain("Wirelab: The helper virtual machine");
    for (const { VpcConfig, Environment } of inside) {
      expect(VpcConfig.Ipv6AllowedForDualStack).toBe(true);
      expect(JSON.stringify(Environment.Variables.AWS_ENDPOINT_URL_SECRETS_MANAGER)).toContain(".api.aws");
    }
  });

  test("that send to WebSockets from that network reach API Gateway over IPv6", () => {
    const descriptions = Object.values(root.findResources("AWS::Lambda::Function"))
      .filter(({ Properties }) => Properties.VpcConfig !== undefined)
      .map(({ Properties }) => Properties.Description);
    expect(descriptions).toEqual(
      expect.arrayContaining([
        "Wirelab: Notifications and consoles over WebSocket",
        "Wirelab: Follows computes for clients over WebSocket",
        "Wirelab: Deletes what has expired and what nothing refers to",
      ]),
    );
    root.hasResourceProperties("AWS::ApiGatewayV2::Api", { IpAddressType: "dualstack" });
    const usual = templateOf({});
    usual.hasResourceProperties("AWS::ApiGatewayV2::Api", { IpAddressType: Match.absent() });
  });

  test("are called by changes of instances and every minute, and not again when they fail", () => {
    const rules = Object.values(nested.findResources("AWS::Events::Rule")).map(
      ({ Properties }) => Properties,
    );
    expect(rules).toHaveLength(2);
    for (const { Targets } of rules) {
      expect(Targets).toHaveLength(2);
      for (const { RetryPolicy } of Targets) expect(RetryPolicy).toEqual({ MaximumRetryAttempts: 0 });
    }
    nested.hasResourceProperties("AWS::Events::Rule", { ScheduleExpression: "rate(1 minute)" });
    nested.hasResourceProperties("AWS::Events::Rule", {
      EventPattern: { source: ["aws.ec2"], "detail-type": ["EC2 Instance State-change Notification"] },
    });
  });

  test("have the names of the service's stack: its metrics, the password of compute vm and the tag", () => {
    nested.hasResourceProperties("AWS::SecretsManager::Secret", { Name: "Wirelab/computes/vm" });
    nested.hasResourceProperties("AWS::Lambda::Function", {
      Environment: {
        Variables: Match.objectLike({
          METRICS_NAMESPACE: "Wirelab",
          HELPER_STACK: "Wirelab",
          HELPER_TYPE: "c8i.xlarge",
        }),
      },
    });
    nested.hasResourceProperties("AWS::Lambda::Function", {
      Environment: { Variables: Match.objectLike({ COMPUTE_SECRETS: "Wirelab/computes/" }) },
    });
    nested.allResourcesProperties("AWS::Logs::MetricFilter", {
      MetricTransformations: [Match.objectLike({ MetricNamespace: "Wirelab", MetricName: "FunctionDeaths" })],
    });
  });

  test.each([
    ["helper", ["dynamodb"]],
    ["probe", ["dynamodb", "secretsmanager"]],
    ["Machine", ["secretsmanager"]],
  ])("%s may use a customer's key through %j only", (name, services) => {
    const used = statementsOf(full.nested)
      .filter(({ id, actions }) => id.startsWith(`${name}Role`) && actions.includes("kms:Decrypt"))
      .map(({ conditions }) => conditions.StringEquals!["kms:ViaService"]!.join().split(".")[0]);
    expect(used).toEqual(services);
  });

  test("use the table as the declarations say", () => {
    const keys = statementsOf(nested)
      .filter(({ actions }) => actions.some((action) => action.startsWith("dynamodb:")))
      .flatMap(({ conditions }) => conditions["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? []);
    expect(new Set(keys)).toEqual(new Set(["SERVICE", "PROJECT#*"]));
  });
});
