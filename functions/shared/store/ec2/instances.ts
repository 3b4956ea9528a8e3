/** The account's instances with the tag of this stack, and the actions on them. */
import { callEc2 } from "./query.ts";
import { itemsAt, textAt, type Xml } from "./read-xml.ts";

/** The key of the tag; its value is the name of the stack. The function's role allows changes of instances with this tag only. */
const HELPER_TAG = "wirelab:helper";

type InstanceState = "pending" | "running" | "stopping" | "stopped" | "shutting-down" | "terminated";

export interface Instance {
  readonly instanceId: string;
  /** The tag `Name`, or the id where there is none. */
  readonly name: string;
  readonly state: InstanceState;
  readonly type: string;
  /** The private IPv4 address; it stays the instance's while it is stopped. */
  readonly address: string | undefined;
  readonly canHibernate: boolean;
  /** Why EC2 stopped or terminated the instance, in EC2's words. */
  readonly reason: string | undefined;
}

const toInstance = (xml: Xml): Instance => {
  const instanceId = textAt(xml, "instanceId")!;
  const named = itemsAt(xml, "tagSet").find((tag) => textAt(tag, "key") === "Name");
  return {
    instanceId,
    name: textAt(named, "value") ?? instanceId,
    state: textAt(xml, "instanceState", "name") as InstanceState,
    type: textAt(xml, "instanceType")!,
    address: textAt(xml, "privateIpAddress"),
    canHibernate: textAt(xml, "hibernationOptions", "configured") === "true",
    reason: textAt(xml, "stateReason", "message"),
  };
};

const PAGE = 1_000;
/** Terminated instances are listed for an hour, and cannot be started. */
const USABLE = ["pending", "running", "stopping", "stopped"];

/** Lists the instances that have the stack's tag and are not terminated, by name. */
export async function listInstances(stack: string): Promise<Instance[]> {
  const found: Instance[] = [];
  let token: string | undefined;
  do {
    const page: Xml = await callEc2("DescribeInstances", {
      Filter: [
        { Name: `tag:${HELPER_TAG}`, Value: [stack] },
        { Name: "instance-state-name", Value: USABLE },
      ],
      MaxResults: PAGE,
      NextToken: token,
    });
    for (const reservation of itemsAt(page, "reservationSet"))
      found.push(...itemsAt(reservation, "instancesSet").map(toInstance));
    token = textAt(page, "nextToken");
  } while (token !== undefined);
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Starts a stopped instance; does nothing for one that runs. */
export async function startInstance(instanceId: string): Promise<void> {
  await callEc2("StartInstances", { InstanceId: [instanceId] });
}

/** @param hibernate saves the memory to the volume first; the instance needs to be launched for that. */
export async function stopInstance(instanceId: string, { hibernate }: { hibernate: boolean }): Promise<void> {
  await callEc2("StopInstances", { InstanceId: [instanceId], Hibernate: hibernate || undefined });
}

/** The instance must be stopped. */
export async function setInstanceType(instanceId: string, type: string): Promise<void> {
  await callEc2("ModifyInstanceAttribute", { InstanceId: instanceId, InstanceType: { Value: type } });
}

export interface Launch {
  readonly template: string;
  readonly stack: string;
  readonly name: string;
  readonly type: string;
  /** EC2 launches one instance for a token, however often it is asked. */
  readonly token: string;
}

/** Launches an instance from the stack's template. */
export async function launchInstance({ template, stack, name, type, token }: Launch): Promise<Instance> {
  const tags = [
    { Key: HELPER_TAG, Value: stack },
    { Key: "Name", Value: name },
  ];
  const launched = await callEc2("RunInstances", {
    LaunchTemplate: { LaunchTemplateId: template, Version: "$Default" },
    InstanceType: type,
    MinCount: 1,
    MaxCount: 1,
    ClientToken: token,
    TagSpecification: [
      { ResourceType: "instance", Tag: tags },
      { ResourceType: "volume", Tag: tags },
    ],
  });
  return toInstance(itemsAt(launched, "instancesSet")[0]!);
}

export interface InstanceType {
  readonly name: string;
  readonly vcpus: number;
  readonly ramMb: number;
}

/** Lists the types of a family, such as `c8i`, the smallest first; without bare-metal ones, which take long to start. */
export async function listTypes(family: string): Promise<InstanceType[]> {
  const types: InstanceType[] = [];
  let token: string | undefined;
  do {
    const page: Xml = await callEc2("DescribeInstanceTypes", {
      Filter: [
        { Name: "instance-type", Value: [`${family}.*`] },
        { Name: "bare-metal", Value: ["false"] },
      ],
      NextToken: token,
    });
    for (const one of itemsAt(page, "instanceTypeSet")) {
      types.push({
        name: textAt(one, "instanceType")!,
        vcpus: Number(textAt(one, "vCpuInfo", "defaultVCpus")),
        ramMb: Number(textAt(one, "memoryInfo", "sizeInMiB")),
      });
    }
    token = textAt(page, "nextToken");
  } while (token !== undefined);
  return types.toSorted((a, b) => a.vcpus - b.vcpus || a.ramMb - b.ramMb);
}
