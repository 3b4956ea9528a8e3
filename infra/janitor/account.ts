/** Reads what the plan (plan.ts) needs from an account's region, and deletes what it names. */
import {
  CloudFormationClient,
  DeleteStackCommand,
  GetTemplateCommand,
  paginateDescribeStacks,
  paginateListStackResources,
  paginateListStacks,
  type Stack,
} from "@aws-sdk/client-cloudformation";
import {
  CloudWatchLogsClient,
  DeleteLogGroupCommand,
  paginateDescribeLogGroups,
} from "@aws-sdk/client-cloudwatch-logs";
import { DeleteObjectCommand, paginateListObjectsV2, S3Client } from "@aws-sdk/client-s3";
import {
  DeleteSecretCommand,
  paginateListSecrets,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import {
  type Account,
  type AccountStack,
  type Asset,
  isDeleted,
  isEphemeral,
  type LogGroup,
  type Remembered,
  type Removal,
  type StoredSecret,
} from "./plan.ts";
import { assetsIn } from "./templates.ts";

/** A secret can be restored for so long. It costs nothing meanwhile. */
const RECOVERY_DAYS = 7;

export class AwsAccount {
  readonly #stacks = new CloudFormationClient({});
  readonly #logs = new CloudWatchLogsClient({});
  readonly #secrets = new SecretsManagerClient({});
  readonly #objects = new S3Client({});

  /** @param bucket the bootstrap bucket; undefined to leave assets alone. */
  async read(nowMs: number, bucket: string | undefined): Promise<Account> {
    const stacks = await this.#readStacks();
    const remembered = new Map<string, Remembered>();
    for (const stack of stacks.filter((each) => isEphemeral(each) && isDeleted(each)))
      remembered.set(stack.id, await this.#remember(stack, bucket !== undefined));
    return {
      nowMs,
      stacks,
      remembered,
      logGroups: await this.#readLogGroups(),
      secrets: await this.#readSecrets(),
      assets: bucket === undefined ? undefined : await this.#readAssets(bucket, stacks),
    };
  }

  async remove(removal: Removal): Promise<void> {
    switch (removal.kind) {
      case "stack":
        await this.#stacks.send(new DeleteStackCommand({ StackName: removal.id }));
        return;
      case "log group":
        await this.#logs.send(new DeleteLogGroupCommand({ logGroupName: removal.name }));
        return;
      case "secret":
        await this.#secrets.send(
          new DeleteSecretCommand({ SecretId: removal.arn, RecoveryWindowInDays: RECOVERY_DAYS }),
        );
        return;
      case "asset":
        await this.#objects.send(new DeleteObjectCommand({ Bucket: removal.bucket, Key: removal.name }));
    }
  }

  /** A list has deleted stacks, and no tags; a description by id has the tags also of deleted ones. */
  async #readStacks(): Promise<AccountStack[]> {
    const found: AccountStack[] = [];
    for await (const { Stacks = [] } of paginateDescribeStacks({ client: this.#stacks }, {}))
      found.push(...Stacks.map(toStack));
    const deleted = paginateListStacks({ client: this.#stacks }, { StackStatusFilter: ["DELETE_COMPLETE"] });
    for await (const { StackSummaries = [] } of deleted) {
      for (const { StackId = "", TemplateDescription = "", ParentId } of StackSummaries) {
        // Saves a call for each stack of others.
        if (ParentId !== undefined || !TemplateDescription.startsWith("Wirelab")) continue;
        for await (const { Stacks = [] } of paginateDescribeStacks(
          { client: this.#stacks },
          { StackName: StackId },
        ))
          found.push(...Stacks.map(toStack));
      }
    }
    return found;
  }

  async #remember({ id }: AccountStack, withAssets: boolean): Promise<Remembered> {
    const byType = new Map<string, string[]>();
    for await (const { StackResourceSummaries = [] } of paginateListStackResources(
      { client: this.#stacks },
      { StackName: id },
    )) {
      for (const { ResourceType = "", PhysicalResourceId } of StackResourceSummaries)
        if (PhysicalResourceId)
          byType.set(ResourceType, [...(byType.get(ResourceType) ?? []), PhysicalResourceId]);
    }
    return {
      functions: byType.get("AWS::Lambda::Function") ?? [],
      restApis: byType.get("AWS::ApiGateway::RestApi") ?? [],
      assets: withAssets ? assetsIn(await this.#readTemplate(id)) : [],
    };
  }

  async #readTemplate(id: string): Promise<string> {
    const { TemplateBody = "" } = await this.#stacks.send(new GetTemplateCommand({ StackName: id }));
    return TemplateBody;
  }

  async #readLogGroups(): Promise<LogGroup[]> {
    const found: LogGroup[] = [];
    for (const logGroupNamePrefix of ["/aws/lambda/", "API-Gateway-Execution-Logs_"]) {
      for await (const { logGroups = [] } of paginateDescribeLogGroups(
        { client: this.#logs },
        { logGroupNamePrefix },
      )) {
        for (const { logGroupName: name, creationTime: createdMs = 0 } of logGroups)
          if (name) found.push({ name, createdMs });
      }
    }
    return found;
  }

  async #readSecrets(): Promise<StoredSecret[]> {
    const found: StoredSecret[] = [];
    for await (const { SecretList = [] } of paginateListSecrets({ client: this.#secrets }, {})) {
      for (const { ARN: arn, Name: name, CreatedDate, DeletedDate } of SecretList)
        if (arn && name && CreatedDate && !DeletedDate)
          found.push({ arn, name, createdMs: CreatedDate.getTime() });
    }
    return found;
  }

  async #readAssets(bucket: string, stacks: readonly AccountStack[]) {
    const stored: Asset[] = [];
    for await (const { Contents = [] } of paginateListObjectsV2(
      { client: this.#objects },
      { Bucket: bucket },
    )) {
      for (const { Key: key, LastModified } of Contents)
        if (key && LastModified) stored.push({ key, modifiedMs: LastModified.getTime() });
    }
    const used = new Set<string>();
    for (const stack of stacks.filter((each) => !isDeleted(each)))
      for (const key of assetsIn(await this.#readTemplate(stack.id))) used.add(key);
    return { bucket, stored, used };
  }
}

const toStack = (stack: Stack): AccountStack => ({
  id: stack.StackId ?? "",
  name: stack.StackName ?? "",
  status: stack.StackStatus ?? "",
  description: stack.Description ?? "",
  tags: Object.fromEntries((stack.Tags ?? []).map(({ Key = "", Value = "" }) => [Key, Value])),
  createdMs: stack.CreationTime?.getTime() ?? 0,
  deletedMs: stack.DeletionTime?.getTime(),
  isNested: stack.ParentId !== undefined,
  isProtected: stack.EnableTerminationProtection === true,
});
