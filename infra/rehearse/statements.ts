/** Finds the statements of all policies in a template, with intrinsic functions rendered. */
import { render } from "./render.ts";
import { type Json, listOf, type StackTemplate } from "./template.ts";

export interface FoundStatement {
  readonly logicalId: string;
  readonly allows: boolean;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
}

const texts = (value: unknown): readonly string[] => listOf(value).map(String);

function statementsIn(logicalId: string, value: unknown): FoundStatement[] {
  if (typeof value !== "object" || value === null) return [];
  const { Statement } = value as Json;
  const own =
    Statement === undefined
      ? []
      : listOf(Statement).map((statement) => {
          const { Effect, Action, NotAction, Resource } = statement as Json;
          return {
            logicalId,
            allows: Effect === "Allow",
            actions: [...texts(Action), ...texts(NotAction)],
            resources: texts(Resource),
          };
        });
  return [...own, ...Object.values(value).flatMap((each) => statementsIn(logicalId, each))];
}

export const statementsOf = (stack: StackTemplate): FoundStatement[] =>
  Object.entries(stack.resources).flatMap(([id, { Properties = {} }]) =>
    statementsIn(id, render(stack, Properties)),
  );

/** The statements of a role: its inline policies, and those of the policies that name it. */
export function statementsOfRole(stack: StackTemplate, roleId: string): FoundStatement[] {
  const policies = Object.entries(stack.resources).filter(
    ([id, { Type, Properties = {} }]) =>
      id === roleId ||
      (/^AWS::IAM::(Managed)?Policy$/.test(Type) &&
        JSON.stringify(Properties.Roles ?? []).includes(`"${roleId}"`)),
  );
  return policies.flatMap(([id, { Properties = {} }]) => {
    const { AssumeRolePolicyDocument, ...rest } = Properties;
    return statementsIn(id, render(stack, rest));
  });
}

/** `*` is any text, as in IAM. */
export function isLike(text: string, pattern: string): boolean {
  const source = pattern.split("*").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${source.join(".*")}$`, "is").test(text);
}

/** Whether the statements allow an action on a resource, without regard to conditions. */
export const isAllowed = (statements: readonly FoundStatement[], action: string, resource: string): boolean =>
  statements.some(
    ({ allows, actions, resources }) =>
      allows &&
      actions.some((pattern) => isLike(action, pattern)) &&
      resources.some((pattern) => isLike(resource, pattern)),
  );
