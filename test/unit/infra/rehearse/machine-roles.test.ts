/** The roles of state machines allow what their states do. */
import { expect, test } from "vitest";
import { checkMachineRoles } from "../../../../infra/rehearse/machine-roles.ts";
import { functionOf, policy, roleOf, stackOf, statement } from "./broken.ts";

const WORK = { "Fn::GetAtt": ["Work", "Arn"] };
/** @param definition with `<>` in the place of the function's ARN. */
const machineOf = (definition: object) => {
  const parts = JSON.stringify(definition)
    .split("<>")
    .flatMap((part, index) => (index === 0 ? [part] : [WORK, part]));
  return {
    Type: "AWS::StepFunctions::StateMachine",
    Properties: {
      RoleArn: { "Fn::GetAtt": ["Plays", "Arn"] },
      DefinitionString: { "Fn::Join": ["", parts] },
    },
  };
};
const TASK = { StartAt: "Play", States: { Play: { Type: "Task", Resource: "<>", End: true } } };
const DISTRIBUTED = {
  StartAt: "All",
  States: {
    All: { Type: "Map", End: true, ItemProcessor: { ...TASK, ProcessorConfig: { Mode: "DISTRIBUTED" } } },
  },
};
const CALLS = statement("lambda:InvokeFunction", WORK);
const STARTS = statement("states:StartExecution", { Ref: "Machine" });
const textsOf = (definition: object, grants: readonly object[], more: object = {}) =>
  checkMachineRoles(
    stackOf({
      Role: roleOf("lambda"),
      Work: functionOf(),
      Plays: roleOf("states", ...grants),
      Machine: machineOf(definition),
      ...more,
    }),
  ).map(({ text }) => text);

test("finds a function that the role may not call", () => {
  expect(textsOf(TASK, [CALLS])).toEqual([]);
  expect(textsOf(TASK, [])).toEqual([
    expect.stringMatching(/^the state Play needs lambda:InvokeFunction on arn:aws:lambda:.*the role Plays/),
  ]);
});

test("finds a Distributed Map that may not start executions, and functions within it", () => {
  expect(textsOf(DISTRIBUTED, [CALLS, STARTS])).toEqual([]);
  expect(textsOf(DISTRIBUTED, [CALLS]).join()).toContain("the state All needs states:StartExecution");
  expect(textsOf(DISTRIBUTED, [STARTS]).join()).toContain("the state Play needs lambda:InvokeFunction");
});

test("reads policies that are attached to the role, and branches", () => {
  const attached = {
    Type: "AWS::IAM::Policy",
    Properties: { Roles: [{ Ref: "Plays" }], PolicyDocument: policy(CALLS) },
  };
  const parallel = { StartAt: "Both", States: { Both: { Type: "Parallel", End: true, Branches: [TASK] } } };
  expect(textsOf(parallel, [], { attached })).toEqual([]);
  expect(textsOf(parallel, [])).toHaveLength(1);
});

test("finds a definition that cannot be read", () => {
  const machine = machineOf(TASK);
  const Machine = { ...machine, Properties: { ...machine.Properties, DefinitionString: "{" } };
  expect(checkMachineRoles(stackOf({ Machine }))).toEqual([
    { logicalId: "Machine", text: "the definition is not JSON" },
  ]);
});
