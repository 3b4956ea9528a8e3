/**
 * The resources of the stack by logical id, in a file that a review sees: an upgrade replaces a resource whose id has changed, and what the old one
 * had is gone. `npm test -- -u test/unit/infra/resources.test.ts` writes the file.
 */
import type { Template } from "aws-cdk-lib/assertions";
import { expect, test } from "vitest";
import { templateOf } from "../../helpers/stack/stack.ts";

interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
}

/** Each deployment of another document of the API is a new resource. */
const withoutDocument = (id: string): string =>
  id.replace(/(?<=Deployment[0-9A-F]{8})[0-9a-f]{32}$/, "<document>");

const listOf = (template: Template): string => {
  const { Resources, Outputs } = template.toJSON() as {
    Resources: Record<string, Resource>;
    Outputs: object;
  };
  const resources = Object.entries(Resources).map(([id, { Type, DeletionPolicy }]) =>
    [Type, withoutDocument(id), DeletionPolicy].filter(Boolean).join(" "),
  );
  const outputs = Object.keys(Outputs).map((name) => `output ${name}`);
  return `${[...resources, ...outputs].toSorted().join("\n")}\n`;
};

test.each([
  ["lasting", {}],
  ["ephemeral", { ephemeral: "true" }],
])("a %s stack has the resources and outputs of its list", async (name, settings) => {
  await expect(listOf(templateOf(settings))).toMatchFileSnapshot(`resources/${name}.txt`);
});
