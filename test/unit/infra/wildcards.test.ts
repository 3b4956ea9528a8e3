/** No policy has a wildcard without a reason in infra/wildcards.ts. */
import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, expect, test } from "vitest";
import { WILDCARDS } from "../../../infra/wildcards.ts";
import { managedPoliciesOf, permissionsOf, statementsOf } from "../../helpers/stack/policies.ts";
import { CORNER_CONTEXTS, describeContext, templateOf } from "../../helpers/stack/stack.ts";

/** The form of infra/wildcards.ts. The template does not contain AWS's own policies, so each of them counts as a wildcard. */
function wildcardsOf(template: Template): string[] {
  const grants = statementsOf(template).flatMap(({ kind, effect, principals, actions, resources }) =>
    actions
      .flatMap((action) =>
        resources.map((resource) => {
          const who = principals.length > 0 ? ` ${principals.join()}` : "";
          return { hasWildcard: `${action}${resource}`.includes("*"), text: `${action} on ${resource}`, who };
        }),
      )
      .flatMap(({ hasWildcard, text, who }) => (hasWildcard ? [`${kind} ${effect}${who} ${text}`] : [])),
  );
  const callers = permissionsOf(template).filter((permission) => permission.includes("*"));
  return [
    ...grants,
    ...managedPoliciesOf(template).map((policy) => `managed ${policy}`),
    ...callers.map((permission) => `permission Allow ${permission}`),
  ];
}

const found = new Map<string, string[]>();

beforeAll(() => {
  for (const settings of CORNER_CONTEXTS)
    found.set(describeContext(settings), wildcardsOf(templateOf(settings)));
}, 300_000);

test("every wildcard has a reason", () => {
  const without = [...found].flatMap(([context, wildcards]) =>
    wildcards
      .filter((wildcard) => !WILDCARDS.some(({ grant }) => grant.test(wildcard)))
      .map((wildcard) => `${context}: ${wildcard}`),
  );
  expect(without).toEqual([]);
});

test("every reason belongs to an existing wildcard", () => {
  const all = [...found.values()].flat();
  expect(WILDCARDS.filter(({ grant }) => !all.some((wildcard) => grant.test(wildcard)))).toEqual([]);
  for (const { reason } of WILDCARDS) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
});

test("no function's role has a policy of AWS's, or shares its own", () => {
  const template = templateOf();
  expect(managedPoliciesOf(template).filter((policy) => !policy.startsWith("ApiRestCloudWatchRole"))).toEqual(
    [],
  );
  const functions = Object.values(template.findResources("AWS::Lambda::Function")).filter(({ Properties }) =>
    String(Properties.Description).startsWith("Wirelab: "),
  );
  const roles = functions.map(({ Properties }) => Properties.Role["Fn::GetAtt"][0]);
  expect(new Set(roles).size).toBe(functions.length);
});
