/** The roles of state machines allow what their states do: call functions, and, in a Distributed Map, start executions of the machine itself. */
import { renderText } from "./render.ts";
import { isAllowed, statementsOfRole } from "./statements.ts";
import { ofType, type Problem, type StackTemplate } from "./template.ts";

interface State {
  readonly Type?: string;
  readonly Resource?: string;
  readonly ItemProcessor?: Machine & { readonly ProcessorConfig?: { readonly Mode?: string } };
  readonly Branches?: readonly Machine[];
}

interface Machine {
  readonly States?: Readonly<Record<string, State>>;
}

const LAMBDA = /^arn:aws:lambda:[^:]+:\d+:function:/;

/** All states, also those of maps and branches. */
const statesOf = ({ States = {} }: Machine): [string, State][] =>
  Object.entries(States).flatMap(([name, state]) => [
    [name, state] as [string, State],
    ...(state.ItemProcessor ? statesOf(state.ItemProcessor) : []),
    ...(state.Branches ?? []).flatMap(statesOf),
  ]);

export const checkMachineRoles = (stack: StackTemplate): readonly Problem[] =>
  ofType(stack, "AWS::StepFunctions::StateMachine").flatMap(([logicalId, properties]) => {
    const role = /"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/.exec(JSON.stringify(properties.RoleArn))?.[1] ?? "";
    const statements = statementsOfRole(stack, role);
    let machine: Machine;
    try {
      machine = JSON.parse(renderText(stack, properties.DefinitionString));
    } catch {
      return [{ logicalId, text: "the definition is not JSON" }];
    }
    const self = renderText(stack, { Ref: logicalId });
    return statesOf(machine).flatMap(([name, state]) =>
      needsOf(state, self)
        .filter(({ action, resource }) => !isAllowed(statements, action, resource))
        .map(({ action, resource }) => ({
          logicalId,
          text: `the state ${name} needs ${action} on ${resource}, which the role ${role} does not allow`,
        })),
    );
  });

function needsOf({ Type, Resource = "", ItemProcessor }: State, self: string) {
  if (Type === "Task") {
    if (LAMBDA.test(Resource)) return [{ action: "lambda:InvokeFunction", resource: Resource }];
    return [];
  }
  return ItemProcessor?.ProcessorConfig?.Mode === "DISTRIBUTED"
    ? [{ action: "states:StartExecution", resource: self }]
    : [];
}
