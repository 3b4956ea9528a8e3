/** The state machine of sweeps, and who may do what with it. */
import { expect, test } from "vitest";
import { templateOf } from "../../helpers/stack/stack.ts";

const template = templateOf({});
const ofType = (type: string) =>
  Object.entries(template.findResources(type)) as [string, { Properties: Record<string, unknown> }][];

const findMachine = () =>
  ofType("AWS::StepFunctions::StateMachine").find(([id]) => id.startsWith("labcases"))!;

test("plays at most eight batches at once, and ends after half an hour", () => {
  const [, machine] = findMachine();
  const text = JSON.stringify(machine.Properties.DefinitionString);
  for (const part of [
    '\\"MaxConcurrency\\":8',
    '\\"TimeoutSeconds\\":1800',
    '\\"Mode\\":\\"DISTRIBUTED\\",\\"ExecutionType\\":\\"EXPRESS\\"',
  ])
    expect(text).toContain(part.replaceAll("\\", "\\\\").replaceAll('\\\\"', '\\"'));
});

test("plays labs with Linux nodes in the function that runs guests, for more than the five minutes of an express workflow", () => {
  const [, machine] = findMachine();
  const text = JSON.stringify(machine.Properties.DefinitionString).replaceAll("\\", "");
  expect(text).toContain('"Variable":"$.guests","IsPresent":true,"Next":"GuestBatches"');
  const [batches, guestBatches] = text.split('"GuestBatches":{');
  expect(batches).toContain('"Mode":"DISTRIBUTED"');
  expect(batches).toContain("labcasesFunction");
  expect(guestBatches).toContain('"Mode":"INLINE"');
  expect(guestBatches).toContain("guestsFunction");
});

test("the machine may call two functions, and follow its own executions; so may the routes, without the call", () => {
  const [machine] = findMachine();
  const policy = ofType("AWS::IAM::Policy").find(([id]) => id.startsWith("labcasesMachinePolicy"))![1];
  const { Statement } = policy.Properties.PolicyDocument as {
    Statement: { Action: string | string[]; Resource: unknown }[];
  };
  expect(Statement.map(({ Action }) => Action)).toEqual([
    "lambda:InvokeFunction",
    "states:StartExecution",
    ["states:DescribeExecution", "states:StopExecution"],
  ]);
  const called = Statement[0]!.Resource as { "Fn::GetAtt": [string, string] }[];
  expect(called.map(({ "Fn::GetAtt": [id] }) => id.replace(/Function.*/, "")).toSorted()).toEqual([
    "guests",
    "labcases",
  ]);
  expect(Statement[1]!.Resource).toEqual({ Ref: machine });
  const roles = ofType("AWS::IAM::Role").filter(([, role]) => JSON.stringify(role).includes(machine));
  expect(roles.map(([id]) => id.slice(0, 4))).toEqual(["labs"]);
  expect(JSON.stringify(roles)).not.toContain("lambda:InvokeFunction");
});

test("what a sweep has stored expires after a day", () => {
  const rules = ofType("AWS::S3::Bucket").flatMap(
    ([, { Properties }]) =>
      (Properties.LifecycleConfiguration as { Rules: { Prefix?: string; ExpirationInDays?: number }[] })
        ?.Rules ?? [],
  );
  expect(rules).toContainEqual(expect.objectContaining({ Prefix: "sweeps/", ExpirationInDays: 1 }));
});
