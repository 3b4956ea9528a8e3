/**
 * The helper machine's network: private subnets without a way in. A way out over IPv6 costs nothing while nothing runs; a NAT gateway, for
 * IPv4, costs $33 a month. The endpoints of DynamoDB and S3 are free; other services of AWS are reached over IPv6.
 */
import { Stack, Validations } from "aws-cdk-lib";
import {
  GatewayVpcEndpointAwsService,
  IpProtocol,
  type ISubnet,
  type IVpc,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from "aws-cdk-lib/aws-ec2";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { asInterface } from "../as-interface.ts";
import type { Settings } from "../chosen-settings.ts";
import { NETWORK_INTERFACES } from "../wildcards.ts";

/** A zone that has no capacity for a function or the machine stops the helper alone, so there is one. */
const ZONES = 1;

export class HelperNetwork extends Construct {
  readonly vpc: IVpc;
  /** The security group of the functions that call the machine. */
  readonly callers: SecurityGroup;
  readonly machine: SecurityGroup;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    const nat = settings.get("helper_nat");
    const inside = { name: "Helper", subnetType: SubnetType.PRIVATE_WITH_EGRESS };
    const vpc = new Vpc(this, "Vpc", {
      ipProtocol: IpProtocol.DUAL_STACK,
      maxAzs: ZONES,
      natGateways: nat ? 1 : 0,
      createInternetGateway: nat,
      subnetConfiguration: nat
        ? [inside, { name: "Nat", subnetType: SubnetType.PUBLIC, mapPublicIpOnLaunch: false }]
        : [inside],
      restrictDefaultSecurityGroup: false,
      gatewayEndpoints: {
        DynamoDb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
        S3: { service: GatewayVpcEndpointAwsService.S3 },
      },
    });
    this.vpc = asInterface<IVpc>(vpc);
    Validations.of(vpc).acknowledge({
      id: "AwsSolutions-VPC7",
      reason:
        "Flow logs would cost more than the network; the machine's server and the functions log their requests.",
    });
    const group = (name: string, description: string) =>
      new SecurityGroup(this, name, { vpc: this.vpc, description, allowAllIpv6Outbound: true });
    this.callers = group("Callers", "Wirelab: functions that call computes");
    this.machine = group("Machine", "Wirelab: the helper machine");
    // Besides its server, the machine has a port for each console.
    this.machine.addIngressRule(this.callers, Port.allTcp(), "Functions that call computes");
  }

  /** The properties of a function in the network. */
  get placement() {
    return {
      vpc: this.vpc,
      vpcSubnets: { subnets: [this.subnet] },
      securityGroups: [this.callers],
      ipv6AllowedForDualStack: true,
    };
  }

  /** Lets Lambda connect the function to the network, and the function reach Secrets Manager over IPv6. */
  admit(target: LambdaFunction): void {
    target.addToRolePolicy(
      new PolicyStatement({
        actions: [
          "ec2:CreateNetworkInterface",
          "ec2:DeleteNetworkInterface",
          "ec2:DescribeNetworkInterfaces",
          "ec2:DescribeSubnets",
          "ec2:AssignPrivateIpAddresses",
          "ec2:UnassignPrivateIpAddresses",
        ],
        resources: ["*"],
      }),
    );
    Validations.of(target.role!).acknowledge({
      id: "AwsSolutions-IAM5[Resource::*]",
      reason: NETWORK_INTERFACES,
    });
    target.addEnvironment(
      "AWS_ENDPOINT_URL_SECRETS_MANAGER",
      `https://secretsmanager.${Stack.of(target).region}.api.aws`,
    );
  }

  get subnet(): ISubnet {
    return this.vpc.privateSubnets[0]!;
  }
}
