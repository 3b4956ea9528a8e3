/** Reads the template of a deployed stack from CloudFormation. */
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
} from "@aws-sdk/client-cloudformation";
import type { Template } from "./deployed-settings.ts";

/** States of a stack whose first deployment has not succeeded, or that is gone. */
const NEVER_DEPLOYED = /^(REVIEW_IN_PROGRESS|CREATE_\w+|ROLLBACK_\w+|DELETE_COMPLETE)$/;
const DEPLOYED_FIRST = "CREATE_COMPLETE";

/** @returns undefined when there is no such stack yet. @throws the SDK's error when the stack cannot be read. */
export async function deployedTemplate(stackName: string): Promise<Template | undefined> {
  const client = new CloudFormationClient({});
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    const status = Stacks?.[0]?.StackStatus ?? "";
    if (status !== DEPLOYED_FIRST && NEVER_DEPLOYED.test(status)) return undefined;
    const { TemplateBody } = await client.send(new GetTemplateCommand({ StackName: stackName }));
    return JSON.parse(TemplateBody!) as Template;
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}
