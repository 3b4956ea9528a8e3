/** The launch template of the helper machine: an Ubuntu image with GNS3's packages on an encrypted volume. */
import { Stack } from "aws-cdk-lib";
import {
  BlockDeviceVolume,
  type CfnLaunchTemplate,
  EbsDeviceVolumeType,
  InstanceType,
  LaunchTemplate,
  MachineImage,
  OperatingSystemType,
} from "aws-cdk-lib/aws-ec2";
import { type IInstanceProfile, InstanceProfile, type IRole } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { asInterface } from "../as-interface.ts";
import type { Settings } from "../chosen-settings.ts";
import type { HelperNetwork } from "./network.ts";
import { type Server, serverUserData } from "./user-data.ts";

/** Ubuntu 24.04, which ppa:gns3/ppa has packages for. Canonical keeps the parameter. */
const IMAGE = "/aws/service/canonical/ubuntu/server/24.04/stable/current/amd64/hvm/ebs-gp3/ami-id";

/** EC2 offers nested virtualisation for these families; bare-metal types need none. API_LaunchTemplateCpuOptionsRequest. */
const NESTS = /^(c8i|m8i|r8i)(-flex)?\.(?!metal)/;

interface Props {
  readonly type: string;
  readonly settings: Settings;
  readonly network: HelperNetwork;
  readonly role: IRole;
  readonly server: Omit<Server, "region">;
}

export class HelperTemplate extends Construct {
  readonly template: LaunchTemplate;

  constructor(scope: Construct, id: string, { type, settings, network, role, server }: Props) {
    super(scope, id);
    const { region } = Stack.of(this);
    this.template = new LaunchTemplate(this, "Template", {
      instanceType: new InstanceType(type),
      machineImage: MachineImage.fromSsmParameter(IMAGE, { os: OperatingSystemType.LINUX }),
      userData: serverUserData({ ...server, region }),
      instanceProfile: asInterface<IInstanceProfile>(new InstanceProfile(this, "Profile", { role })),
      requireImdsv2: true,
      httpPutResponseHopLimit: 1,
      hibernationConfigured: settings.get("helper_hibernation"),
      ...(NESTS.test(type) && { cpuOptions: { nestedVirtualization: true } }),
      blockDevices: [
        {
          deviceName: "/dev/sda1",
          volume: BlockDeviceVolume.ebs(settings.get("helper_volume_gb"), {
            encrypted: true,
            volumeType: EbsDeviceVolumeType.GP3,
            deleteOnTermination: true,
          }),
        },
      ],
    });
    const resource = this.template.node.defaultChild as CfnLaunchTemplate;
    resource.addPropertyOverride("LaunchTemplateData.NetworkInterfaces", [
      {
        DeviceIndex: 0,
        SubnetId: network.subnet.subnetId,
        Groups: [network.machine.securityGroupId],
        AssociatePublicIpAddress: false,
        Ipv6AddressCount: 1,
        DeleteOnTermination: true,
      },
    ]);
  }
}
