/**
 * The helper machine: `-c helper=c8i.xlarge`. A nested stack, because a stack has at most 500 resources. Two functions share the work, since an
 * endpoint for EC2's API in the machine's network would cost $7 a month also while nothing runs: `helper` is outside and calls EC2, `probe` is
 * inside and calls the machine.
 */
import { Aws, Duration, NestedStack, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction as LambdaTarget } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import type { DataBucket } from "./bucket.ts";
import type { Settings } from "./chosen-settings.ts";
import { customerKeyOf } from "./customer-key.ts";
import { functionLogOf } from "./function-log.ts";
import { HelperTemplate } from "./helper/launch-template.ts";
import { HelperNetwork } from "./helper/network.ts";
import { makeLogMetrics } from "./metrics.ts";
import { ServiceFunction } from "./service-function.ts";
import { serviceNameOf } from "./service-stack.ts";
import type { StateTable } from "./table.ts";
import { INSTANCES } from "./wildcards.ts";

/** As in functions/shared/store/ec2/instances.ts. */
const TAG = "wirelab:helper";
/** As in functions/shared/machine/config.ts. */
const USER = "gns3";
/** The default of functions/shared/schemas/simvm.ts. */
const PORT = 80;
const PASSWORD_CHARACTERS = 32;

const EVERY = Duration.minutes(1);

interface HelperProps {
  readonly type: string;
  readonly settings: Settings;
  readonly table: StateTable;
  readonly bucket: DataBucket;
}

export class Helper extends NestedStack {
  readonly #type: string;
  readonly #settings: Settings;
  readonly #table: StateTable;
  readonly #network: HelperNetwork;

  constructor(scope: Construct, id: string, { type, settings, table, bucket }: HelperProps) {
    super(scope, id, { description: "Wirelab: the helper machine, its network and its functions" });
    this.#type = type;
    this.#settings = settings;
    this.#table = table;
    this.#network = new HelperNetwork(this, "Network", settings);
    const secret = this.#makePassword();
    const role = new Role(this, "MachineRole", {
      description: "Wirelab: the helper machine reads its password",
      assumedBy: new ServicePrincipal("ec2.amazonaws.com"),
    });
    this.#allowReading(role, secret);
    const { template } = new HelperTemplate(this, "Machine", {
      type,
      settings,
      network: this.#network,
      role,
      server: { secretName: secret.secretName, user: USER, port: PORT },
    });
    const environment = {
      ...this.#variables,
      HELPER_TEMPLATE: template.launchTemplateId!,
      ...settings.variables(["helper_idle_minutes"]),
    };
    const helper = new ServiceFunction(this, "helper", {
      name: "helper",
      description: "Starts and stops the helper machine",
      environment,
      settings,
      table,
      bucket,
    });
    describeInstances(helper.handler);
    this.#changeInstances(helper.handler, template.launchTemplateId!, role);
    const probe = new ServiceFunction(this, "probe", {
      name: "probe",
      folder: "helper",
      entry: "probe",
      description: "Registers the helper machine when its server answers",
      settings,
      table,
      bucket,
      network: this.#network,
    });
    this.#call([helper.handler, probe.handler]);
    makeLogMetrics(new Construct(this, "LogMetrics"), undefined, functionLogOf(this));
  }

  /** The network for functions that call computes. */
  get network(): HelperNetwork {
    return this.#network;
  }

  get #variables(): Record<string, string> {
    return { HELPER_STACK: serviceNameOf(this), HELPER_TYPE: this.#type };
  }

  /** Lets the function list engines and instances, and check settings. */
  bindSettings(target: LambdaFunction): void {
    this.#setVariables(target);
    if (this.#settings.get("helper_hibernation")) target.addEnvironment("HELPER_HIBERNATION", "true");
    this.#table.bind(target, { keys: { SERVICE: ["GetItem"] } });
    describeInstances(target);
  }

  /** Lets a function that calls computes ask for the machine. */
  bindCaller(target: LambdaFunction): void {
    this.#setVariables(target);
    this.#table.bind(target, { keys: { SERVICE: ["Query", "GetItem", "PutItem"] } });
  }

  #setVariables(target: LambdaFunction): void {
    for (const [name, value] of Object.entries(this.#variables)) target.addEnvironment(name, value);
  }

  /** The name is that of compute `vm` in infra/passwords.ts. */
  #makePassword(): Secret {
    const encryptionKey = customerKeyOf(this);
    const secret = new Secret(this, "Password", {
      secretName: `${serviceNameOf(this)}/computes/vm`,
      description: "Wirelab: the password of the helper machine's server",
      generateSecretString: { passwordLength: PASSWORD_CHARACTERS, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
      ...(encryptionKey && { encryptionKey }),
    });
    Validations.of(secret).acknowledge({
      id: "AwsSolutions-SMG4",
      reason:
        "The server reads the password when it starts; docs/helper-machine.md describes how to change it.",
    });
    return secret;
  }

  /** Written out, because a grant of the CDK's would put the role into the policy of the customer's key, which comes before this stack. */
  #allowReading(role: Role, secret: Secret): void {
    role.addToPolicy(
      new PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources: [secret.secretArn] }),
    );
    const key = customerKeyOf(this);
    if (key === undefined) return;
    role.addToPolicy(
      new PolicyStatement({
        actions: ["kms:Decrypt"],
        resources: [key.keyArn],
        conditions: { StringEquals: { "kms:ViaService": `secretsmanager.${Aws.REGION}.amazonaws.com` } },
      }),
    );
  }

  /** Changes of instances with the tag, and the launch of one from the template. */
  #changeInstances(target: LambdaFunction, templateId: string, role: Role): void {
    const { partition, region, account } = Stack.of(this);
    const arn = (resource: string, owner = account) => `arn:${partition}:ec2:${region}:${owner}:${resource}`;
    const stack = serviceNameOf(this);
    const template = arn(`launch-template/${templateId}`);
    const allow = (actions: readonly string[], resources: string[], conditions?: Record<string, object>) =>
      target.addToRolePolicy(
        new PolicyStatement({
          actions: actions.map((action) => `ec2:${action}`),
          resources,
          ...(conditions && { conditions }),
        }),
      );
    allow(["StartInstances", "StopInstances", "ModifyInstanceAttribute"], [arn("instance/*")], {
      StringEquals: { [`aws:ResourceTag/${TAG}`]: stack },
    });
    const fromTemplate = { ArnEquals: { "ec2:LaunchTemplate": template } };
    allow(["RunInstances"], [arn("instance/*"), arn("volume/*")], {
      ...fromTemplate,
      StringEquals: { [`aws:RequestTag/${TAG}`]: stack },
    });
    const { subnet, machine } = this.#network;
    allow(
      ["RunInstances"],
      [
        arn("network-interface/*"),
        arn("image/*", ""),
        arn(`subnet/${subnet.subnetId}`),
        arn(`security-group/${machine.securityGroupId}`),
        template,
      ],
      fromTemplate,
    );
    allow(["CreateTags"], [arn("instance/*"), arn("volume/*")], {
      StringEquals: { "ec2:CreateAction": "RunInstances", [`aws:RequestTag/${TAG}`]: stack },
    });
    target.addToRolePolicy(
      new PolicyStatement({
        actions: ["iam:PassRole"],
        resources: [role.roleArn],
        conditions: { StringEquals: { "iam:PassedToService": "ec2.amazonaws.com" } },
      }),
    );
    for (const resource of [
      "<AWS::AccountId>:instance",
      "<AWS::AccountId>:volume",
      "<AWS::AccountId>:network-interface",
      ":image",
    ]) {
      Validations.of(target.role!).acknowledge({
        id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ec2:<AWS::Region>:${resource}/*]`,
        reason: INSTANCES,
      });
    }
  }

  /** Both functions are called when an instance changes its state, and every minute; each looks whether there is something to do. */
  #call(targets: readonly LambdaFunction[]): void {
    const rules = [
      new Rule(this, "Changes", {
        description: "Wirelab: an instance has changed its state",
        eventPattern: { source: ["aws.ec2"], detailType: ["EC2 Instance State-change Notification"] },
      }),
      new Rule(this, "Schedule", {
        description: "Wirelab: watches the helper machine",
        schedule: Schedule.rate(EVERY),
      }),
    ];
    for (const target of targets) {
      // The next scheduled call repeats the work of a failed one: infra/sweeper.ts.
      target.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: EVERY });
      for (const rule of rules) rule.addTarget(new LambdaTarget(target, { retryAttempts: 0 }));
    }
  }
}

function describeInstances(target: LambdaFunction): void {
  target.addToRolePolicy(
    new PolicyStatement({
      actions: ["ec2:DescribeInstances", "ec2:DescribeInstanceTypes"],
      resources: ["*"],
    }),
  );
  Validations.of(target.role!).acknowledge({ id: "AwsSolutions-IAM5[Resource::*]", reason: INSTANCES });
}
