/** Step Functions accepts every state machine of the stack, as far as a validator of the Amazon States Language can show. */
import { expect, test } from "vitest";
import { faultsOfMachines } from "../../../infra/rehearse/machines.ts";
import { CORNER_CONTEXTS, describeContext, templateOf } from "../../helpers/stack/stack.ts";

const machineOf = (DefinitionString: unknown) => ({
  Machine: { Type: "AWS::StepFunctions::StateMachine", Properties: { DefinitionString } },
  Function: { Type: "AWS::Lambda::Function" },
});
const definitionOf = (states: object, rest: object = {}) =>
  machineOf(JSON.stringify({ StartAt: "First", States: states, ...rest }));

const PASS = { Type: "Pass", End: true };
const mapOf = (states: object, next: object) => ({
  Type: "Map",
  ItemProcessor: { StartAt: Object.keys(states)[0], States: states },
  ...next,
});

/** The definitions do not depend on who may call. */
const CONTEXTS = [{}, ...CORNER_CONTEXTS.filter(({ helper, auth }) => helper && auth === undefined)];

test.each(CONTEXTS.map((settings) => ({ settings, title: describeContext(settings) })))(
  "$title: the state machines are valid",
  ({ settings }) => {
    const { Resources } = templateOf(settings).toJSON();
    const machines = Object.values(Resources as Record<string, { Type: string }>).filter(
      ({ Type }) => Type === "AWS::StepFunctions::StateMachine",
    );
    expect(machines.length).toBeGreaterThan(1);
    expect(faultsOfMachines(Resources)).toEqual([]);
  },
);

test("reports a name that two states share, also in different maps", () => {
  const resources = definitionOf({
    First: mapOf({ Play: PASS }, { Next: "Second" }),
    Second: mapOf({ Play: PASS }, { End: true }),
  });
  expect(faultsOfMachines(resources)).toEqual([
    expect.stringMatching(/^Machine: DUPLICATE_STATE_NAME.*Play/),
  ]);
});

test("reports a state that is missing, a fault of the schema with its place, and a definition that cannot be read", () => {
  expect(faultsOfMachines(definitionOf({ First: { Type: "Pass", Next: "Other" } })).join()).toMatch(
    /^Machine: MISSING_TRANSITION_TARGET.*Other/,
  );
  expect(faultsOfMachines(definitionOf({ First: { ...PASS, Type: "Tusk" } })).join()).toContain(
    "SCHEMA_VALIDATION_FAILED /States/First",
  );
  expect(faultsOfMachines(machineOf("{")).join()).toContain("Machine: the definition is not JSON");
  expect(faultsOfMachines(machineOf("7"))).toEqual(["Machine: the definition is not an object"]);
});

test("puts ARNs in the place of references", () => {
  const task = { Type: "Task", Resource: "<>", End: true };
  const [before, after] = JSON.stringify({ StartAt: "First", States: { First: task } }).split("<>");
  const called = { "Fn::GetAtt": ["Function", "Arn"] };
  expect(faultsOfMachines(machineOf({ "Fn::Join": ["", [before, called, after]] }))).toEqual([]);
  expect(faultsOfMachines(machineOf(`${before}function${after}`)).join()).toContain("Resource");
});
