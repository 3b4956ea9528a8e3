/** Reads the outputs of a deployed stack, for commands that take its name. */
import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";

/** @returns undefined when the stack has no such output. @throws the SDK's error when there is no such stack. */
export async function readStackOutput(stackName: string, key: string): Promise<string | undefined> {
  const { Stacks } = await new CloudFormationClient({}).send(
    new DescribeStacksCommand({ StackName: stackName }),
  );
  return Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === key)?.OutputValue;
}
