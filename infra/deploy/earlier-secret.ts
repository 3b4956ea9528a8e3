/** Finds the secret in which stacks of earlier releases have the first user's password. */
import { CloudFormationClient, paginateListStackResources } from "@aws-sdk/client-cloudformation";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";

const LOGICAL_ID = /^AuthorizerFirstPassword/;

/** @returns undefined when there is no such stack, or it has no such secret. @throws the SDK's error for other failures. */
export async function firstPasswordIn(stackName: string): Promise<string | undefined> {
  const id = await secretOf(stackName);
  if (id === undefined) return undefined;
  const client = new SecretsManagerClient({});
  try {
    return (await client.send(new GetSecretValueCommand({ SecretId: id }))).SecretString;
  } catch (error) {
    // An operator may delete the secret once there are users.
    if (error instanceof Error && /^(ResourceNotFound|InvalidRequest)Exception$/.test(error.name))
      return undefined;
    throw error;
  }
}

async function secretOf(stackName: string): Promise<string | undefined> {
  const pages = paginateListStackResources(
    { client: new CloudFormationClient({}) },
    { StackName: stackName },
  );
  try {
    for await (const { StackResourceSummaries = [] } of pages) {
      const secret = StackResourceSummaries.find(
        ({ LogicalResourceId = "", ResourceStatus }) =>
          LOGICAL_ID.test(LogicalResourceId) && ResourceStatus !== "DELETE_COMPLETE",
      );
      if (secret) return secret.PhysicalResourceId;
    }
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
  return undefined;
}
