/** What cdk-nag finds in stacks. */
import { AwsSolutionsChecks } from "cdk-nag";
import type { IConstruct } from "constructs";
import { describeContext, makeStack, type Settings } from "./stack.ts";

interface Report {
  readonly violations: readonly {
    readonly ruleName: string;
    readonly violatingResources: readonly { readonly constructPath?: string }[];
  }[];
}

/** The findings of cdk-nag: `rule path`. They need no synthesis, which takes ten times as long. */
export const findingsIn = (scope: IConstruct): string[] =>
  (new AwsSolutionsChecks().validateScope(scope) as unknown as Report).violations.flatMap(
    ({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}`),
  );

/** The findings in the stack of each context: `context: rule path`. */
export const findingsOf = (contexts: readonly Settings[]): string[] =>
  contexts.flatMap((settings) =>
    findingsIn(makeStack(settings).stack).map((finding) => `${describeContext(settings)}: ${finding}`),
  );
