/** Another author's evaluator of IAM policies, in a process of its own. It needs the registry of npm. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Requirement } from "../service/authorization.ts";
import type { Statement } from "../stack/policies.ts";

const PACKAGE = "@cloud-copilot/iam-simulate@0.1.173";
const PROGRAM = fileURLToPath(new URL("simulate.mjs", import.meta.url));
const FETCH_MS = 120_000;

const npx = (command: string) => ["--yes", "-p", PACKAGE, "-c", command];

/** Whether npx has the evaluator, or can fetch it. */
export const hasSimulator = (): Promise<boolean> =>
  promisify(execFile)("npx", npx("true"), { timeout: FETCH_MS }).then(
    () => true,
    () => false,
  );

/** `<TableState.Arn>` and other references as the ARNs of an account. */
function arnsIn(text: string): string {
  const place = "us-east-1:123456789012";
  return text
    .replaceAll("<AWS::Partition>", "aws")
    .replaceAll("<AWS::Region>", "us-east-1")
    .replaceAll("<AWS::AccountId>", "123456789012")
    .replaceAll(
      "<TableState.StreamArn>",
      `arn:aws:dynamodb:${place}:table/State/stream/2026-01-01T00:00:00.000`,
    )
    .replaceAll("<TableState.Arn>", `arn:aws:dynamodb:${place}:table/State`)
    .replaceAll("<BucketData.Arn>", "arn:aws:s3:::data")
    .replaceAll(/^<Function\w*Log\w*\.Arn>/g, `arn:aws:logs:${place}:log-group:functions`)
    .replaceAll(/<(\w*Machine)>/g, `arn:aws:states:${place}:stateMachine:$1`)
    .replaceAll(/^<(\w*Queue|Failures)\.Arn>/g, `arn:aws:sqs:${place}:$1`)
    .replaceAll(/^<(\w+)\.Arn>/g, `arn:aws:lambda:${place}:function:$1`)
    .replaceAll(/<(\w+)(?:\.\w+)?>/g, "$1");
}

const policyOf = (statements: readonly Statement[]) => ({
  Version: "2012-10-17",
  Statement: statements.map(({ effect, actions, resources, conditions }) => ({
    Effect: effect,
    Action: actions,
    Resource: resources.map(arnsIn),
    Condition: conditions,
  })),
});

/** Returns for each request whether the statements of its role allow it. */
export async function simulate(
  roles: ReadonlyMap<string, readonly Statement[]>,
  requests: readonly { readonly role: string; readonly required: Requirement }[],
): Promise<readonly boolean[]> {
  const input = {
    policies: Object.fromEntries([...roles].map(([role, statements]) => [role, policyOf(statements)])),
    requests: requests.map(({ role, required: { action, resource, context } }) => ({
      role,
      action,
      resource: arnsIn(resource),
      context,
    })),
  };
  const running = promisify(execFile)("npx", npx(`node ${JSON.stringify(PROGRAM)}`), { maxBuffer: 2 ** 26 });
  running.child.stdin?.end(JSON.stringify(input));
  return JSON.parse((await running).stdout);
}
